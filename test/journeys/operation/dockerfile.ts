// The container file, read as far as tests ask something of it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Where the package lies. */
export const root = fileURLToPath(new URL('../../..', import.meta.url))

/** A file of the package, as text. */
export const read = (name: string): string => readFileSync(join(root, name), 'utf8')

/** Its lines, each instruction on one. */
export const lines = read('Dockerfile')
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')

/** The words after an instruction, of each line that has it. */
export const after = (instruction: string): readonly string[] =>
  lines.flatMap((line) => (line.startsWith(`${instruction} `) ? [line.slice(instruction.length + 1)] : []))

/** What its first stage copies out of the package, to build from. */
export const copied: readonly string[] = after('COPY')
  .filter((copy) => !copy.startsWith('--from='))
  .flatMap((copy) => copy.split(' ').slice(0, -1))

/** What its second stage takes over from the first, by its path there. */
export const taken: readonly string[] = after('COPY')
  .filter((copy) => copy.startsWith('--from=build '))
  .flatMap((copy) => copy.split(' ').slice(1, -1))
  .map((source) => source.replace('/src/', ''))
