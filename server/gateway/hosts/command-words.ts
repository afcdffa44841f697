// People write a whole line where a host wants one program: `"command": "npx @playwright/mcp@latest"`. A host that hands it
// to a shell starts that, so it is cut as a shell cuts it; what only a shell can do is no command of ours.
import { split } from 'shlex'
import { fail, ok, type Result } from '../../errors/result.ts'
import type { Machine } from './host-kind.ts'

export interface CommandWords {
  readonly command: string
  readonly args: readonly string[]
  /** Variables that are set before the command: `NAME=value npx …`. */
  readonly env: Readonly<Record<string, string>>
}

/** What a shell does beyond starting one program, outside of quotation marks. */
const shellOnly = /^(?:[^'"\\]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")*?[|&;<>`()]/s

/** A path of Windows that ends in a program's name is one word, blanks or not. */
const windowsProgram = /^[A-Za-z]:\\[^"<>|]*\.(?:exe|cmd|bat|com)$/i

/**
 * The words of a command line, or why it has none. `isFile` says of a path whether it is there: a program whose path has a
 * blank is one word.
 */
export async function commandWords(
  line: string,
  { platform }: Pick<Machine, 'platform'>,
  isFile: (path: string) => Promise<boolean>,
): Promise<Result<CommandWords, string>> {
  const whole = ok({ command: line, args: [], env: {} })
  if (!/\s/.test(line.trim()) && !/["']/.test(line)) return whole
  const windows = platform === 'win32'
  if ((windows && windowsProgram.test(line)) || (await isFile(line))) return whole
  if (shellOnly.test(line)) return fail('its command needs a shell (it holds one of | & ; < > ` and brackets)')
  try {
    // A backslash is a part of a path there and escapes nothing.
    const words = split(windows ? line.replaceAll('\\', '\\\\') : line)
    const start = words.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word))
    const [command, ...args] = words.slice(start)
    if (start < 0 || command === undefined || command === '') return fail('its command names no program')
    const env = words.slice(0, start).map((word): [string, string] => {
      const [name = '', ...value] = word.split('=')
      return [name, value.join('=')]
    })
    return ok({ command, args, env: Object.fromEntries(env) })
  } catch {
    return fail('its command has a quotation mark that is not closed')
  }
}
