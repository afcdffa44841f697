// How the blocks of a card look: code in colours with what is dangerous in it marked, Markdown laid out. The last step before
// the card; it leaves nothing out, and a text whose looks cannot be found is shown as it is.
import { cardLimits } from '../../cards/limits.ts'
import type { CardBlock } from '../../model/card.ts'
import type { SqlDialect } from '../programs/sql/tokens.ts'
import type { TextRange } from '../programs/text-range.ts'
import { codeSpans, withDangers } from './code-spans.ts'
import { loadMarkdown } from './load-markdown.ts'
import type { SpannedText } from './markdown-spans.ts'

/** A program that the card shows. */
export interface ShownProgram {
  readonly text: string
  /** Of SQL, whose it is. */
  readonly dialect?: SqlDialect | undefined
  readonly dangers: readonly TextRange[]
}

/** The same blocks with their spans. */
export const withLooks = (
  blocks: readonly CardBlock[],
  programs: readonly ShownProgram[],
): Promise<readonly CardBlock[]> => Promise.all(blocks.map((block) => look(block, programs)))

async function look(block: CardBlock, programs: readonly ShownProgram[]): Promise<CardBlock> {
  if (block.kind === 'details' && block.spans !== undefined) return { ...block, ...(await saidOf(block.text ?? '')) }
  if (block.kind !== 'code' || block.language === undefined || block.spans !== undefined) return block
  if (block.language === 'markdown') return { ...block, ...(await saidOf(block.text)) }
  const { text, language } = block
  const program = programs.find((each) => each.text === text)
  const dangers = program?.dangers ?? []
  const all = withDangers(await orPlain(codeSpans(text, language, program?.dialect), []), dangers)
  const kept = all.length > cardLimits.spans ? withDangers([], dangers) : all
  return kept.length === 0 || kept.length > cardLimits.spans ? block : { ...block, spans: kept }
}

/** Markdown laid out; as it was written where that cannot be done, such as where it nests too deep for its lexer. */
async function saidOf(source: string): Promise<Partial<SpannedText>> {
  const laidOut = loadMarkdown().then(({ markdownSpans }) => markdownSpans(source))
  const said = await orPlain(laidOut, undefined)
  return said === undefined || said.spans.length > cardLimits.spans ? {} : said
}

/** Looks are worth no preview: where what finds them does not load, or fails, a card is plain. */
const orPlain = <T, P>(looks: Promise<T>, plain: P): Promise<T | P> => looks.catch(() => plain)
