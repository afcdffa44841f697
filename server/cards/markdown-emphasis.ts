// Which marks of Markdown can be of emphasis only. CommonMark takes `2**3**2`, `dist/**, lib/**` and `__pycache__` for it, too,
// and there they are operators, patterns and names: without them something else would stand on the card.
import type { Token, Tokens } from 'marked'

/** What stands before and behind something, in its sentence. */
export interface Around {
  readonly before: string
  readonly after: string
}
export const nothingAround: Around = { before: '', after: '' }

/** As far as is asked: blanks, punctuation beside them, and the beginning of a word. */
export const near = 8

/** Whether marks and what is between them can be one name, as those of `__pycache__`, `_drafts_` and `*tmp*` are. */
export const isName = (raw: string): boolean =>
  /^(?:\*[\p{L}\p{N}][\p{L}\p{M}\p{N}_.$@-]*\*|_[\p{L}\p{M}\p{N}_.$@-]+_)$/u.test(raw)

/** Whether the marks say how the words are meant, and nothing else. Those of a name are asked for before. */
export function isEmphasis({ raw, type, tokens }: Tokens.Em | Tokens.Strong, around: Around): boolean {
  const width = type === 'strong' ? 2 : 1
  const within = raw.slice(width, -width)
  if (type === 'strong') return !isPattern(within, around) && !isPower(within, around)
  return (
    raw.startsWith('_') ||
    (isPlain(around) && (isPart(tokens[0]) || begins(within)) && (isPart(tokens.at(-1)) || ends(within)))
  )
}

/** Whether this strong one is among words that slashes alone part, as Yes/No, and beside which nothing of a path stands. */
export function isChoice(tokens: readonly Token[], at: number, { before, after }: Around): boolean {
  const isPart = (index: number): boolean =>
    tokens[index]?.type === 'strong' && /^\*\*[\p{L}\p{N}](?:[^/*]*[^/*.])?\*\*$/u.test(tokens[index].raw)
  const isSlash = (index: number): boolean => tokens[index]?.raw === '/'
  let [first, last] = [at, at]
  while (isSlash(first - 1) && isPart(first - 2)) first -= 2
  while (isSlash(last + 1) && isPart(last + 2)) last += 2
  const [left, right] = [tokens[first - 1]?.raw ?? before, tokens[last + 1]?.raw ?? after]
  return first < last && isPart(at) && !/[\w/.*]$/.test(left) && !/^(?:[\w/*]|\.[\w*])/.test(right)
}

/** Beside a slash, a dot or an asterisk two more of them mean files; a sentence may end with a dot. */
const isPattern = (within: string, { before, after }: Around): boolean =>
  /[/.*]$/.test(before) || /^[/.*]|[/*]$/.test(within) || /^(?:[/*]|\.[\w*])/.test(after)

/**
 * Between letters and digits of ASCII they may raise to a power, but not where a word is on one side only, or where a part
 * of a longer word stands out. Beside other letters nobody calculates.
 */
function isPower(within: string, { before, after }: Around): boolean {
  const left = /[\w)\]]{0,8}$/.exec(before)?.[0] ?? ''
  const right = /^[\w([+~-]{0,8}/.exec(after)?.[0] ?? ''
  if (left === '' && !/^\w/.test(right)) return false
  if (left === '' || right === '') return !/^\w+$/.test(within) || /[)\]]$/.test(left)
  return left.length < 2 || right.length < 2 || !/^[a-z]+$/i.test(left + within + right)
}

/** A single asterisk means more in other notations, so that around it stand blanks, plain punctuation, or no ASCII. */
const isPlain = ({ before, after }: Around): boolean =>
  /(?:^|\s|\P{ASCII})["'(]{0,4}$/u.test(before) && /^["').,:;!?]{0,4}(?:\s|$|\P{ASCII})/u.test(after)

const begins = (within: string): boolean => /^(?:[\p{L}\p{N}"'(]|\P{ASCII})/u.test(within)

/** Of several words also as a sentence may end: `*test.*` is a pattern. */
const ends = (within: string): boolean =>
  (/\s/.test(within) ? /(?:[\p{L}\p{N}.,:;!?)"']|\P{ASCII})$/u : /(?:[\p{L}\p{N}!?)"']|\P{ASCII})$/u).test(
    within.slice(-near),
  )

/** What a word may be in emphasis, besides letters: none of it is a mark in another notation. */
const isPart = (token: Token | undefined): boolean =>
  token !== undefined && ['link', 'image', 'codespan', 'strong', 'em', 'br'].includes(token.type)
