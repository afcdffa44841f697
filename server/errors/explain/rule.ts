// What every rule about an error text has in common, whoever wrote the text: a program that ran here, or a server behind.
// A rule is data: the words that it knows, what that error is called, what is said of it, and texts that it must and must
// not know, which are its tests. CONTRIBUTING.md says how one is added.

export interface ErrorRule {
  /** `py.key`, `sql.no_table`: stays the same while its words change. */
  readonly id: string
  /** Rises when what it matches changes, so that counts of before and after are not mixed. */
  readonly version: number
  /** `error_type` of the guidance. */
  readonly type: string
  /** Finds its words, in linear time. Named groups fill `{placeholders}` of `cause`. */
  readonly pattern: RegExp
  /** Texts that it knows. */
  readonly matches: readonly string[]
  /** Texts like them that it leaves to others. */
  readonly others: readonly string[]
}

/** How a rule is named in `evidence`. */
export const ruleName = ({ id, version }: Pick<ErrorRule, 'id' | 'version'>): string => `${id}/${version}`

/** Characters of an error's text that are read at all: of a program's the end, of a server's the beginning. */
export const mostRead = 10_240

/** The part of what a program wrote that is read: its end, where programs say what ended them. */
export const readPart = (text: string): string => (text.length > mostRead ? text.slice(-mostRead) : text)

/** The words of a rule with what was found in the text; a group that took no part is called `this`. */
export function filled(
  words: string,
  groups: Readonly<Record<string, string | undefined>>,
  show: (found: string) => string = shortened,
): string {
  // A pattern and a function for each of its finds would cost several times as much where their code is not in a cache.
  let made = ''
  let done = 0
  for (let open = words.indexOf('{'); open !== -1; open = words.indexOf('{', open + 1)) {
    const close = words.indexOf('}', open)
    if (close === -1) break
    const name = words.slice(open + 1, close)
    if (!Object.hasOwn(groups, name)) continue
    made += words.slice(done, open) + show(groups[name] ?? 'this')
    done = close + 1
  }
  return made + words.slice(done)
}

const shortened = (text: string): string => (text.length > 100 ? `${text.slice(0, 97)}…` : text)
