// People write a whole line where a host wants one program: `"command": "npx @playwright/mcp@latest"`. A host that hands it
// to a shell starts that, so it is cut as sh cuts it, or cmd.exe and the program; what only a shell can do is no command of ours. Libraries
// that cut lines read more into one than sh does (`$'…'`) or less (`"\$X"`, a line break, a comment), and say neither.
import { fail, ok, type Result } from '../../errors/result.ts'
import type { Machine } from './host-kind.ts'
import { wordsOfWindows } from './windows-words.ts'

export interface CommandWords {
  readonly command: string
  readonly args: readonly string[]
  /** Variables that are set before the command: `NAME=value npx …`. */
  readonly env: Readonly<Record<string, string>>
}

/** A path of Windows that ends in a program's name is one word, blanks or not. */
const windowsProgram = /^[A-Za-z]:\\[^"<>|]*\.(?:exe|cmd|bat|com)$/i

const openQuote = 'its command has a quotation mark that is not closed'

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
  if ((platform === 'win32' && windowsProgram.test(line)) || (await isFile(line))) return whole
  const cut = platform === 'win32' ? ofWindows(line) : wordsOfSh(line)
  if (!cut.ok) return cut
  const start = cut.value.findIndex(({ sets }) => !sets)
  const [command, ...args] = cut.value.slice(start).map(({ text }) => text)
  if (start < 0 || command === undefined || command === '') return fail('its command names no program')
  const env = cut.value.slice(0, start).map(({ text }): [string, string] => {
    const [name = '', ...value] = text.split('=')
    return [name, value.join('=')]
  })
  return ok({ command, args, env: Object.fromEntries(env) })
}

interface Word {
  readonly text: string
  /** Whether it sets a variable. */
  readonly sets: boolean
}

const piece = /'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[ \t]+|[^'"\\ \t]+|['"\\]/gs

/** A reference to a variable or a secret, which stays as it is until the server starts. */
const reference = /\$\{(?:(?:env:)?[A-Za-z_]\w*(?::-[^{}\s]*)?|secret:[\w.-]+)\}/g

function wordsOfSh(line: string): Result<readonly Word[], string> {
  const words: { text: string; bare: string }[] = []
  let isNew = true
  for (const [part] of line.replace(/\n$/, '').matchAll(piece)) {
    if (part === '\\\n') continue
    if (/^[ \t]/.test(part)) {
      isNew = true
      continue
    }
    if (/^['"\\]$/.test(part)) return fail(openQuote)
    const text = unquoted(part)
    if (text === undefined) return fail(needsShell(/[`$]/.exec(part.replaceAll(reference, ''))?.[0]))
    if (isNew) words.push({ text: '', bare: '' })
    isNew = false
    const word = words.at(-1)
    if (word === undefined) continue
    word.text += text
    // What is quoted means nothing to a shell, so one mark stands for it.
    word.bare += /^['"\\]/.test(part) ? '"' : part.replaceAll(reference, '"')
  }
  const meant = words.findIndex(({ bare }) => !setsVariable.test(bare))
  const odd = words.find(({ bare }, at) => isForShell(bare) || (at === meant && reserved.test(bare)))
  return odd === undefined
    ? ok(words.map(({ text, bare }, at) => ({ text, sets: at < meant || (meant < 0 && setsVariable.test(bare)) })))
    : fail(needsShell(reserved.test(odd.bare) ? odd.bare : signIn(odd.bare)))
}

/** Says the sign and not the word around it, which may hold a secret. */
const needsShell = (sign: string | undefined): string =>
  `its command needs a shell${sign === undefined ? '' : ` (for ${sign})`}`

/** A piece as the program gets it; nothing where a shell would put something in. */
function unquoted(part: string): string | undefined {
  if (part.startsWith("'")) return part.slice(1, -1)
  if (part.startsWith('\\')) return part.slice(1)
  if (!part.startsWith('"')) return part
  const inner = part.slice(1, -1)
  return /[`$]/.test(inner.replaceAll(reference, '')) ? undefined : inner.replaceAll(/\\(?:(["\\])|\n)/g, '$1')
}

const setsVariable = /^[A-Za-z_]\w*=/

/** Words that begin something else than a program. */
const reserved =
  /^(?:!|[{}]|\[\[|case|coproc|do|done|elif|else|esac|fi|for|function|if|in|select|then|time|until|while)$/

const setsOtherwise = /^[A-Za-z_]\w*(?:\[[^\]=]*\])?\+?=/

/** The sign for which a shell does more with a word than to hand it on. A pattern in an address fits no file. */
const signIn = (bare: string): string | undefined =>
  /[|&;<>`()$]+/.exec(bare)?.[0] ??
  (/(?:^|[=:])~/.test(bare) ? '~' : undefined) ??
  (bare.startsWith('#') ? '#' : undefined) ??
  (bare.includes('://') ? undefined : /[*?]/.exec(bare)?.[0]) ??
  (bare.includes('{') && /,|\.\./.test(bare) ? '{' : undefined)

const isForShell = (bare: string): boolean =>
  signIn(bare) !== undefined || /[\n\r]/.test(bare) || (setsOtherwise.test(bare) && !setsVariable.test(bare))

function ofWindows(line: string): Result<readonly Word[], string> {
  const cut = wordsOfWindows(line)
  if (cut.ok) return ok(cut.value.map((text) => ({ text, sets: false })))
  switch (cut.failure.kind) {
    case 'shell':
      return fail(needsShell(cut.failure.text.startsWith('%') ? '%' : /[^\n\r]/.exec(cut.failure.text)?.[0]))
    case 'open-quote':
      return fail(openQuote)
    case 'unclear':
      return fail('its command has quotation marks in a row, which programs of Windows read differently')
    default:
      return cut.failure satisfies never
  }
}
