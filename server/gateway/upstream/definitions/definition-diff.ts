// What changed in a definition, for a person who decides about it: place by place, old and new, with everything visible
// that a terminal or a card would hide.
import { showInvisible } from '../../../cards/invisible-characters.ts'
import { toPointer } from '../../../errors/pointer.ts'

/** Lines of a diff: the place as a JSON Pointer, then `- ` what was and `+ ` what is. */
export function definitionDiff(before: unknown, after: unknown): string {
  const lines: string[] = []
  compare(before, after, '', lines)
  return lines.join('\n')
}

function compare(before: unknown, after: unknown, place: string, lines: string[]): void {
  if (isObject(before) && isObject(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)]))
      compare(before[key], after[key], place + toPointer([key]), lines)
    return
  }
  if (JSON.stringify(before) === JSON.stringify(after)) return
  lines.push(showInvisible(place === '' ? '(all)' : place))
  if (before !== undefined) lines.push(...write(before).map((line) => `- ${line}`))
  if (after !== undefined) lines.push(...write(after).map((line) => `+ ${line}`))
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const write = (value: unknown): readonly string[] =>
  (typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '')).split('\n').map(showInvisible)
