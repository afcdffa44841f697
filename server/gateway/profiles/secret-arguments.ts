// Secrets among the arguments of a call: a person confirms that one is sent, and need not read it.
import { toPointer, valueAt } from '../../errors/pointer.ts'
import { pathOf } from '../rules/condition.ts'
import type { ShownArgument } from './profile.schema.ts'

type Arguments = Readonly<Record<string, unknown>>

const placesOf = (show: readonly ShownArgument[]): readonly (readonly string[])[] =>
  show.flatMap(({ argument, as }) => (as === 'secret' ? [pathOf(argument)] : []))

/** JSON Pointers of the arguments that a profile calls secret. */
export const secretPointers = (show: readonly ShownArgument[] = []): readonly string[] => placesOf(show).map(toPointer)

/** The arguments as a card may show them: of a secret stands there how long it is, about. */
export const withoutSecrets = (args: Arguments, show: readonly ShownArgument[] = []): Arguments =>
  placesOf(show)
    .filter((path) => ![undefined, null, ''].includes(valueAt(args, path) as undefined))
    .reduce<Arguments>((shown, path) => replaced(shown, path) as Arguments, args)

/** The lengths that are told apart: enough to see that a secret is no single letter and no whole file. */
const lengths = [8, 16, 32, 64, 1024]

function hidden(value: unknown): string {
  if (typeof value !== 'string') return '(hidden)'
  const above = lengths.find((length) => value.length < length)
  const from = lengths.findLast((length) => value.length >= length)
  if (above === undefined) return `(hidden: ${from ?? 0} characters or more)`
  return `(hidden: ${from ?? 1} to ${above - 1} characters)`
}

function replaced(value: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) return hidden(value)
  if (Array.isArray(value)) return value.map((item, at) => (String(at) === key ? replaced(item, rest) : item))
  const held = value as Arguments
  return { ...held, [key]: replaced(held[key], rest) }
}
