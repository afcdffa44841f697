// An argument that is a line of a shell is a program that can be read, where its tool says no more than that it runs it.
import { readShell, type Shells } from '../programs/shell/shell.ts'
import { evidenceOf, saidAround, unread, type Said } from './program-evidence.ts'
import { valuesAt, type Place } from './schema-places.ts'
import type { Selector } from './selector.ts'
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
      if (reading.risk !== 'low') return evidenceOf(reading)
      const other = Object.keys(Object(args)).find((name) => name !== place.name && !beside.test(name))
      if (other === undefined) return 'reads'
      return {
        risk: 'high',
        operation: 'destructive',
        reason: `Its line only reads, and "${other.slice(0, 100)}" may say that something else runs it, so it is high.`,
      }
    },
  }
}
