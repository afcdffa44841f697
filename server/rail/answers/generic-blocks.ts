// What a card shows of an output whose tool brought no card of its own.
import type { CardBlock, CardValue } from '../../model/card.ts'

/** The top level of an output as fields. */
export function genericBlocks(output: unknown): readonly CardBlock[] {
  if (typeof output !== 'object' || output === null || Array.isArray(output)) return []
  const fields = Object.entries(output)
    .slice(0, 40)
    .map(([label, value]) => ({ label, value: plainValue(value) }))
  return fields.length === 0 ? [] : [{ kind: 'fields', fields }]
}

/** Any JSON value as a card value, without knowing what it means. */
function plainValue(value: unknown): CardValue {
  if (value === undefined || value === null) return { kind: 'unset' }
  if (typeof value === 'boolean') return { kind: 'boolean', value }
  if (typeof value === 'string') return { kind: 'text', text: value }
  return { kind: 'code', text: JSON.stringify(value) }
}
