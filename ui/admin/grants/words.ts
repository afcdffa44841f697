import type { Grant } from '../shapes.ts'

export const periods: readonly (readonly [Grant['per'], string])[] = [
  ['total', 'in all'],
  ['day', 'in any 24 hours'],
  ['hour', 'in any hour'],
]

/** "20 times in any hour". */
export const timesText = (times: number, per: Grant['per']): string =>
  `${times} ${times === 1 ? 'time' : 'times'} ${new Map(periods).get(per) ?? ''}`
