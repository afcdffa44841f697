// What the sandbox is meant to reach, beside what was measured of it in this run.
import { loadavg } from 'node:os'
import { ms, table, times } from '../figures.ts'

export interface Aim {
  readonly what: string
  /** At most this. */
  readonly aim: number
  readonly unit: 'ms' | 'times' | 'percent'
  /** Absent where it could not be measured on this machine. */
  readonly measured: number | undefined
  /** The same without anything of ours, in the same run: an aim below it is out of reach. */
  readonly bare?: number
  /** What lies below it, or why it was not measured. */
  readonly note?: string
}

const shown = (value: number, unit: Aim['unit']): string =>
  unit === 'ms' ? ms(value) : unit === 'times' ? times(value) : `${value.toFixed(2)} %`

/** Prints each aim, what was measured, and whether it was met. */
export function printAims(aims: readonly Aim[]): void {
  const rows = aims.map(({ what, aim, unit, measured, bare, note = '' }) => [
    what,
    `≤ ${shown(aim, unit)}`,
    measured === undefined ? '-' : shown(measured, unit),
    bare === undefined ? '' : shown(bare, unit),
    measured === undefined
      ? 'not measured'
      : measured <= aim
        ? 'met'
        : bare !== undefined && bare > aim
          ? 'missed, as by bare'
          : 'missed',
    note,
  ])
  console.log(
    `Aims of the sandbox (load ${loadavg()[0]?.toFixed(1)}; on a busy machine only shares and ratios say something)`,
  )
  console.log(table([['', 'aim', 'measured', 'bare', '', ''], ...rows]))
}
