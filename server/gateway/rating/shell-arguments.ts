// An argument that is a line of a shell is a program that can be read, where its tool says no more than that it runs it.
import { harmIn } from '../programs/read-program.ts'
import { readShell, type Shells } from '../programs/shell/shell.ts'
import type { Evidence } from './evidence.ts'
import { evidenceOf, saidAround, unread, type Said } from './program-evidence.ts'
import { valuesAt, type Place } from './schema-places.ts'
import { highest, type Selector } from './selector.ts'
import { wordsOf } from './words.ts'

const running = new Set(
  `run runs execute executes exec shell bash sh zsh terminal command commands cmd line unix linux local mcp tool the a in`.split(
    /\s+/,
  ),
)

/** Whether a tool's name says no more than that it runs a command: `execute_command`, `bash`. */
export const namesRunning = (name: string): boolean => wordsOf(name).every((word) => running.has(word))

const others =
  /\b(?:powershell|pwsh|cmd\.exe|windows|fish|nushell|python|javascript|typescript|node|ruby|sql|redis|discord|slack|minecraft|game|session|interactive|repl|stdin|ssh|remote|kubectl|aws|git)\b/i
const posix = /\b(?:bash|zsh|sh|posix|unix|linux)\b/i
const shell = /\b(?:shell|terminal|command[- ]lines?|bash|zsh|sh)\b/i

/** Which shells may run an argument; nothing where it is no line of one. */
export function shellsOf(place: Place, tool: Said): Shells | undefined {
  const said = saidAround(place, tool)
  if (!namesRunning(tool.name) || others.test(said) || !shell.test(said)) return undefined
  return posix.test(said) ? 'said' : 'unknown'
}

/** Last words of a name that say that an argument is a line of something. */
const lines = new Set('command commands cmd cmdline exec script shell bash argv'.split(' '))

/** What runs a line that is none of a shell. */
const languages =
  /\b(?:python|javascript|typescript|node|ruby|sql|redis|discord|slack|minecraft|game|kubectl|aws|git|applescript)\b/i

/** Whether an argument may be a line of a shell, of a tool that does not say that it has one: `run_command`. */
export const mayBeLine = (place: Place, tool: Said): boolean =>
  lines.has(wordsOf(place.name).at(-1) ?? '') && !languages.test(saidAround(place, tool))

/** One word as a shell takes it. */
const quoted = (word: string): string =>
  /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`

const allTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string')

/** Before what is said of a line of which nobody knows what runs it. */
export const ifShell = 'If a shell runs it:'

/** The line of a call: a text or a list of words, with what stands beside it (`args: ["-rf", "a"]`, `args: "-rf a"`). */
export function lineIn(args: unknown, path: readonly string[]): string | undefined {
  const [first, ...more] = valuesAt(args, path)
  const found = more.length > 0 ? [first, ...more] : first
  const beside = Object.entries(Object(args)).find(([name]) =>
    /^(?:args|argv|arguments|parameters|params)$/i.test(name),
  )
  const words = beside === undefined || beside[0] === path[0] ? [] : asWords(beside[1])
  if (typeof found === 'string') return [found, ...words].join(' ')
  return allTexts(found) ? [...found.map(quoted), ...words].join(' ') : undefined
}

/** As a shell takes it: a list word by word, a text as it is. */
const asWords = (given: unknown): readonly string[] =>
  typeof given === 'string' ? [given] : allTexts(given) ? given.map(quoted) : []

/** What a line does beside reading, as far as a shell runs it. */
function harmOf(args: unknown, { path }: Place): Evidence | undefined {
  const line = lineIn(args, path)
  const harm = line === undefined ? undefined : harmIn({ language: 'shell' }, line)
  if (harm === undefined) return undefined
  return { ...evidenceOf(harm), reason: `${ifShell} ${evidenceOf(harm).reason}` }
}

/** What a line makes of a call that asks anyway, because nobody knows what runs it: worse, where it would be in a shell. */
export const raisingSelector = (place: Place): Selector => ({
  place,
  worst: unread(place),
  mayRead: false,
  pick: (args) => harmOf(args, place) ?? 'nothing',
})

/** What stands beside a line and neither chooses what runs it nor gives it something to run. */
const beside =
  /^(?:(?:timeout|max_?wait)(?:_?(?:ms|s|sec|seconds|millis|milliseconds))?|description|reason|rationale|explanation)$/i

/** What a line of a shell makes of a call; nothing where the argument is none. */
export function shellSelector(place: Place, tool: Said): Selector | undefined {
  const shells = shellsOf(place, tool)
  if (shells === undefined || place.path.length !== 1) return undefined
  const worst = unread(place)
  return {
    place,
    worst,
    mayRead: true,
    pick: (args) => {
      const [text, ...more] = valuesAt(args, place.path)
      if (typeof text !== 'string' || more.length > 0) return worst
      const reading = readShell(text, shells)
      const harm = harmOf(args, place) ?? []
      if (reading.risk !== 'low') return highest([evidenceOf(reading), harm].flat()) ?? worst
      const other = Object.keys(Object(args)).find((name) => name !== place.name && !beside.test(name))
      if (other === undefined) return 'reads'
      const reason = `Its line only reads, and "${other.slice(0, 100)}" may say that something else runs it, so it is high.`
      return highest([{ risk: 'high', operation: 'destructive', reason } as const, harm].flat()) ?? worst
    },
  }
}
