// What a card shows of data whose tool brought no card for it: members under their names, those of objects inside of it behind the
// name of the object, and lists of objects as tables.
import { dataValue } from '../../cards/plain-value.ts'
import { cardLimits } from '../../cards/limits.ts'
import type { CardBlock, LabelledValue } from '../../model/card.ts'
import { humanLabel } from '../human-label.ts'
import { isMembers, type Members } from './members.ts'

/** So many are read on a card; what an agent gets of the call has all of them. */
const most = { fields: 40, rows: 50, depth: 4 } as const

/** The blocks of an object; none of any other value. */
export function dataBlocks(data: unknown): readonly CardBlock[] {
  if (!isMembers(data)) return []
  const fields: LabelledValue[] = []
  const tables: CardBlock[] = []
  let left = 0
  const show = (members: Members, labels: readonly string[]): void => {
    for (const [name, value] of Object.entries(members)) {
      const path = [...labels, humanLabel(name)]
      const table = tableOf(path.join(' · '), value)
      if (table !== undefined) tables.push(table)
      else if (isMembers(value) && Object.keys(value).length > 0 && path.length < most.depth) show(value, path)
      else if (fields.length < most.fields) fields.push({ label: path.join(' · '), value: dataValue(value) })
      else left += 1
    }
  }
  show(data, [])
  return [
    ...(fields.length === 0 ? [] : [{ kind: 'fields', fields } as const]),
    ...tables.slice(0, cardLimits.blocks / 2),
    ...(left === 0 ? [] : [{ kind: 'text', text: `${left} more values are not shown.` } as const]),
  ]
}

/** A list of objects as a table; nothing where it is no such list, or has more columns than a card. */
function tableOf(label: string, value: unknown): CardBlock | undefined {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isMembers)) return undefined
  const list: readonly Members[] = value
  const names = [...new Set(list.flatMap((entry) => Object.keys(entry)))]
  if (names.length === 0 || names.length > cardLimits.columns) return undefined
  return {
    kind: 'table',
    label: list.length > most.rows ? `${label} (the first ${most.rows} of ${list.length})` : label,
    columns: names.map((name) => ({ label: humanLabel(name) })),
    rows: list.slice(0, most.rows).map((entry) => names.map((name) => dataValue(entry[name]))),
  }
}
