// Whether a rationale is meaningful: it says something that the call does not say already (a cause, an aim or a source) in
// words of its own, and repeats neither the call (tool, arguments, what tools do) nor an earlier rationale. The cheapest
// sentence that the schema accepts says nothing. A preview and its apply count once: the rail makes the apply repeat the
// preview's rationale.
import { becauseWords, doingWords, emptyWords, isMash, smallWords, sourceWords, stemOf, wordsOf } from './words.ts'

/** One recorded call with a rationale. */
export interface JudgedRationale {
  readonly text: string
  readonly tool: string
  /** JSON text of the arguments as recorded, possibly cut off; empty where there is none. */
  readonly args: string
  /** What is counted once: the plan, or the call's own id where it has none. */
  readonly act: string
}

/** Why a rationale is not meaningful. */
type Emptiness =
  /** Fewer than three different words. */
  | 'not_a_sentence'
  /** Only words that would fit every call. */
  | 'boilerplate'
  /** Says what is done, which the call says already. */
  | 'repeats_the_call'
  /** Has words of its own, and yet no cause, aim or source. */
  | 'no_reason'
  /** The text of an earlier rationale, or one that differs from three others in numbers only. */
  | 'used_before'

export type Judgement = 'meaningful' | Emptiness

/** What one rationale says beyond its call. */
export function judgeRationale({ text, tool, args }: Omit<JudgedRationale, 'act'>): Judgement {
  const words = new Set(wordsOf(text).filter((word) => word.length > 1 || /\p{Script=Han}/u.test(word)))
  if (words.size < 3) return 'not_a_sentence'
  const call = callWords(tool, args, text)
  let own = 0
  let repeated = 0
  for (const stem of new Set([...words].filter((word) => !isMash(word)).map(stemOf))) {
    if (smallWords.has(stem) || isParticle(stem)) continue
    if (sourceWords.has(stem)) own += 1
    else if (call.has(stem) || doingWords.has(stem)) repeated += 1
    else if (!emptyWords.has(stem)) own += 1
  }
  if (own >= 4 || (own >= 2 && becauseWords.test(text))) return 'meaningful'
  if (own <= 1 && repeated > 0) return 'repeats_the_call'
  return own === 0 ? 'boilerplate' : 'no_reason'
}

/** Up to three letters of hiragana alone are a particle of grammar. */
const isParticle = (stem: string): boolean => /^\p{Script=Hiragana}{1,3}$/u.test(stem)

/** Stems of the tool's name and of the arguments, names and values, without the rationale that stands among them. */
function callWords(tool: string, args: string, text: string): ReadonlySet<string> {
  const others = args
    .replaceAll(JSON.stringify(text), '')
    .replace(/"(?:countersign_)?(?:rationale|reason)":\s*"(?:[^"\\]|\\.)*"?/g, '')
    .replace(/\\[nrtbf]/g, ' ')
  return new Set([...wordsOf(tool.replace(/([a-z])([A-Z])/g, '$1 $2')), ...wordsOf(others)].map(stemOf))
}

/** How often a sentence may come back with other numbers in it. */
const SAME_FORM = 3

/** Judges rationales in the order in which they were given: how many of which judgement, and an example of each. */
export function judgeRationales(said: readonly JudgedRationale[]) {
  const acts = new Set<string>()
  const texts = new Set<string>()
  const forms = new Map<string, number>()
  const empty: Record<Emptiness, number> = {
    not_a_sentence: 0,
    boilerplate: 0,
    repeats_the_call: 0,
    no_reason: 0,
    used_before: 0,
  }
  const examples = new Map<Judgement, { readonly text: string; readonly tool: string }>()
  let meaningful = 0
  for (const one of said) {
    const text = plainText(one.text)
    const act = `${one.act} ${text}`
    if (acts.has(act)) continue
    acts.add(act)
    const alone = judgeRationale(one)
    const form = text.replace(/\p{N}+/gu, '0')
    const before = forms.get(form) ?? 0
    const judgement = alone === 'meaningful' && (texts.has(text) || before >= SAME_FORM) ? 'used_before' : alone
    texts.add(text)
    forms.set(form, before + 1)
    if (judgement === 'meaningful') meaningful += 1
    else empty[judgement] += 1
    if (!examples.has(judgement)) examples.set(judgement, { text: one.text, tool: one.tool })
  }
  return {
    acts: acts.size,
    meaningful,
    empty,
    examples: [...examples].map(([judgement, example]) => ({ judgement, ...example })),
  }
}

/** A text without case, blanks and punctuation. */
const plainText = (text: string): string =>
  (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  ).join(' ')
