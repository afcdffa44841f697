import type { Grant } from '../shapes.ts'

const periods = { hour: 'in any hour', day: 'in any 24 hours', total: 'in all' } as const

/** "20 times in any hour". */
export const timesText = (times: number, per: Grant['per']): string =>
  `${times} ${times === 1 ? 'time' : 'times'} ${periods[per]}`
