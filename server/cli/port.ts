import { InvalidArgumentError } from 'commander'

/** A port as a command line spells it. @throws {InvalidArgumentError} for anything else. */
export function port(text: string): number {
  const value = Number(text)
  if (!/^\d+$/.test(text) || value > 65535) throw new InvalidArgumentError('A port is a number from 0 to 65535.')
  return value
}
