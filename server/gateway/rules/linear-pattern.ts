// Patterns come from servers and settings, and the texts from an agent: `^(a+)+$` runs for ever in the engine of the
// language. RE2 takes time linear in the text (docs/adr/0032), and refuses what cannot be run so.
import { RE2JS } from 're2js'

/** A regular expression that takes time linear in its text. */
export interface LinearPattern {
  /** Whether it matches anywhere in the text. */
  test(text: string): boolean
  /** What each character of a text costs at most, in steps; a million steps take up to 30 ms. */
  readonly steps: number
}

const longestSource = 2000
/** In instructions of RE2. */
const longestProgram = 2500

/** Reads a pattern of ECMAScript with the flag `u`; nothing where RE2 cannot take it: lookaround, `\1`, huge repeats. */
export function linearPattern(source: string): LinearPattern | undefined {
  if (source.length > longestSource) return undefined
  try {
    // What is no pattern to its author is none here, although RE2 may read something into it.
    new RegExp(source, 'u').test('')
  } catch {
    return undefined
  }
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(withSpaces(source)))
    // Most texts cost far less; some keep every beginning of a match open, and each instruction looks at each character.
    const steps = compiled.programSize()
    return steps > longestProgram ? undefined : { test: (text) => compiled.test(text), steps }
  } catch {
    return undefined
  }
}

/** What `\s` and `\S` are in ECMAScript; RE2 knows the spaces of ASCII only. */
const spaces = String.raw`\t-\r \x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}\x{FEFF}`
const others = String.raw`\x{0}-\x{8}\x{E}-\x{1F}!-\x{9F}\x{A1}-\x{167F}\x{1681}-\x{1FFF}\x{200B}-\x{2027}\x{202A}-\x{202E}\x{2030}-\x{205E}\x{2060}-\x{2FFF}\x{3001}-\x{FEFE}\x{FF00}-\x{10FFFF}`

function withSpaces(source: string): string {
  let inClass = false
  return source.replace(/\\[^]|[[\]]/g, (token) => {
    if (token === '[') inClass = true
    if (token === ']') inClass = false
    const named = token === '\\s' ? spaces : token === '\\S' ? others : undefined
    return named === undefined ? token : inClass ? named : `[${named}]`
  })
}
