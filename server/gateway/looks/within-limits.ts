// What a server or an agent sent may be larger than a card can hold, and a card that is refused as a whole shows nothing. So
// its blocks are cut at the card's limits, and a warning beside each says what is not shown.
import { cardLimits as most } from '../../cards/limits.ts'
import type { CardBlock, CardValue } from '../../model/card.ts'

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

const leftOut = (what: string, all: number, shown: number): string[] =>
  all > shown ? [`${counted(all - shown)} of ${counted(all)} ${what}`] : []

/** The last texts become one, in which all of each stays; other blocks keep their place, such as what will be sent. */
function fewer(blocks: readonly CardBlock[]): {
  readonly blocks: readonly CardBlock[]
  readonly left: readonly string[]
} {
  if (blocks.length <= mostBlocks) return { blocks, left: [] }
  const codes = blocks.flatMap((block, at) => (block.kind === 'code' ? [{ at, block }] : []))
  const others = blocks.flatMap((block, at) => (block.kind === 'code' ? [] : [at])).slice(0, mostBlocks - 1)
  const alone = codes.slice(0, mostBlocks - 1 - others.length)
  const joined = codes.slice(alone.length)
  const text = joined.map(({ block }) => `${block.label ?? ''}\n${block.text}`).join('\n\n')
  const stay = new Set([...others, ...alone.map(({ at }) => at)])
  return {
    blocks: blocks.flatMap((block, at): readonly CardBlock[] =>
      stay.has(at)
        ? [block]
        : at === joined[0]?.at
          ? [{ kind: 'code', label: `${counted(joined.length)} more texts`, text }]
          : [],
    ),
    left: leftOut('parts', blocks.length, others.length + codes.length),
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
      const left = leftOut('fields', block.fields.length, most.fields)
      const fields = block.fields
        .slice(0, most.fields)
        .map(({ label, value }) => ({ label, value: valueWithin(value, label, left) }))
      return { block: { ...block, fields }, left }
    }
    case 'diff': {
      const left = leftOut('changes', block.changes.length, most.changes)
      const changes = block.changes.slice(0, most.changes).map((change) => ({
        ...change,
        before: valueWithin(change.before, change.label, left),
        after: valueWithin(change.after, change.label, left),
      }))
      return { block: { ...block, changes }, left }
    }
    case 'lines': {
      const left = leftOut('rows', block.items.length, most.rows)
      const items = block.items
        .slice(0, most.rows)
        .map((item) => ({ ...item, cells: item.cells.map((cell) => valueWithin(cell, item.label, left)) }))
      return { block: { ...block, items }, left }
    }
    case 'table': {
      const columns = block.columns.slice(0, most.columns)
      const left = [
        ...leftOut(`columns of ${block.label}`, block.columns.length, most.columns),
        ...leftOut(`rows of ${block.label}`, block.rows.length, most.rows),
      ]
      const rows = block.rows
        .slice(0, most.rows)
        .map((cells) => columns.map(({ label }, at) => valueWithin(cells[at] ?? { kind: 'unknown' }, label, left)))
      return { block: { ...block, columns, rows }, left }
    }
    case 'text': {
      const text = ended(block.text, most.text)
      return { block: { ...block, text }, left: leftOut('characters of a text', block.text.length, text.length) }
    }
    // None of these is made of what others sent.
    case 'effects':
    case 'alert':
    case 'links':
    case 'people':
    case 'steps':
    case 'progress':
    case 'metrics':
    case 'pages':
    case 'picture':
      return { block, left: [] }
    default:
      return block satisfies never
  }
}

/** The value of one label as far as a card holds it; what was left out of it is added to `left`. */
function valueWithin(value: CardValue, label: string, left: string[]): CardValue {
  if (value.kind === 'list') {
    left.push(...leftOut(`values of ${label}`, value.items.length, most.items))
    return { kind: 'list', items: value.items.slice(0, most.items).map((item) => valueWithin(item, label, left)) }
  }
  const limit = value.kind === 'text' ? most.text : most.code
  if ((value.kind !== 'text' && value.kind !== 'code') || value.text.length <= limit) return value
  const text = ended(value.text, limit)
  left.push(...leftOut(`characters of ${label}`, value.text.length, text.length))
  return { ...value, text }
}

/** Its beginning, without half a character at the end. */
const ended = (text: string, length: number): string => text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')
