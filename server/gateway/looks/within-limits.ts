// What a server or an agent sent may be larger than a card can hold, and a card that is refused as a whole shows nothing. So
// its blocks are cut at the card's limits, and a warning beside each says what is not shown.
import { cardLimits as most } from '../../cards/limits.ts'
import type { CardBlock, CardValue, LabelledValue } from '../../model/card.ts'

/** Of a card's blocks, those that a preview may have; the rest is for notices, warnings and effects. */
const mostBlocks = 40

/** The same blocks as far as a card holds them. */
export function withinLimits(blocks: readonly CardBlock[]): readonly CardBlock[] {
  const all = fewer(blocks)
  const cut = all.blocks.map(smaller)
  const said = [...all.left, ...cut.flatMap(({ left }) => left)]
  if (said.length === 0) return all.blocks
  const warning: CardBlock = {
    kind: 'alert',
    severity: 'warning',
    title: 'This card does not show all of it.',
    text: `Not shown: ${said.slice(0, 20).join('; ')}${said.length > 20 ? `; and ${said.length - 20} more parts` : ''}.`,
  }
  return [warning, ...cut.map(({ block }) => block)]
}

interface Cut {
  readonly block: CardBlock
  /** What was left out of it, in words. */
  readonly left: readonly string[]
}

const counted = (count: number): string => count.toLocaleString('en')

const leftOut = (what: string, all: number, shown: number): readonly string[] =>
  all > shown ? [`${counted(all - shown)} of ${counted(all)} ${what}`] : []

/** Texts behind the last block that has room become one, in which all of each stays. */
function fewer(blocks: readonly CardBlock[]): {
  readonly blocks: readonly CardBlock[]
  readonly left: readonly string[]
} {
  if (blocks.length <= mostBlocks) return { blocks, left: [] }
  const rest = blocks.slice(mostBlocks - 1)
  const codes = rest.filter((block) => block.kind === 'code')
  const text = codes.map((block) => `${block.label ?? ''}\n${block.text}`).join('\n\n')
  return {
    blocks: [
      ...blocks.slice(0, mostBlocks - 1),
      ...(codes.length === 0 ? [] : [{ kind: 'code', label: `${counted(codes.length)} more texts`, text } as const]),
    ],
    left: leftOut('parts', blocks.length, blocks.length - rest.length + codes.length),
  }
}

function smaller(block: CardBlock): Cut {
  switch (block.kind) {
    case 'code': {
      const label = block.label === undefined ? 'characters' : `characters of ${block.label}`
      if (block.text.length <= most.code) return { block, left: [] }
      const { spans: _, ...rest } = block
      const text = ended(block.text, most.code)
      return { block: { ...rest, text }, left: leftOut(label, block.text.length, text.length) }
    }
    case 'fields':
    case 'details': {
      const fields = block.fields.slice(0, most.fields).map(fieldWithin)
      return {
        block: { ...block, fields: fields.map(({ field }) => field) },
        left: [...leftOut('fields', block.fields.length, fields.length), ...fields.flatMap(({ left }) => left)],
      }
    }
    case 'diff': {
      const changes = block.changes.slice(0, most.changes)
      return { block: { ...block, changes }, left: leftOut('changes', block.changes.length, changes.length) }
    }
    case 'table': {
      const columns = block.columns.slice(0, most.columns)
      const rows = block.rows.slice(0, most.rows).map((cells) => cells.slice(0, most.columns))
      return {
        block: { ...block, columns, rows },
        left: [
          ...leftOut(`columns of ${block.label}`, block.columns.length, columns.length),
          ...leftOut(`rows of ${block.label}`, block.rows.length, rows.length),
        ],
      }
    }
    default:
      return { block, left: [] }
  }
}

function fieldWithin({ label, value }: LabelledValue): {
  readonly field: LabelledValue
  readonly left: readonly string[]
} {
  const limit = value.kind === 'text' ? most.text : most.code
  if ((value.kind !== 'text' && value.kind !== 'code') || value.text.length <= limit)
    return { field: { label, value }, left: [] }
  const text = ended(value.text, limit)
  const shown: CardValue = { ...value, text }
  return {
    field: { label, value: shown },
    left: leftOut(`characters of ${label}`, value.text.length, text.length),
  }
}

/** Its beginning, without half a character at the end. */
const ended = (text: string, length: number): string => text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')
