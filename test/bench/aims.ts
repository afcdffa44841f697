// What is meant to be reached, beside what was measured of it in this run, what others take in the same run, and what the
// results that were saved last have. Numbers of a shared machine say little from one run to the next, ratios more.
import { table } from './figures.ts'
import type { Saved } from './results.ts'

const formats = {
  ms: (value) => `${value.toFixed(2)} ms`,
  µs: (value) => `${value.toFixed(1)} µs`,
  seconds: (value) => `${value.toFixed(2)} s`,
  times: (value) => `${value.toFixed(2)}×`,
  percent: (value) => `${value.toFixed(2)} %`,
  'a second': (value) => `${Math.round(value).toLocaleString('en')} a second`,
  exponent: (value) => value.toFixed(2),
  count: (value) => value.toLocaleString('en'),
} as const satisfies Readonly<Record<string, (value: number) => string>>

/** What a figure can be counted in. */
export const units = Object.keys(formats).filter((unit): unit is keyof typeof formats => Object.hasOwn(formats, unit))

export interface Aim {
  readonly what: string
  /** At most this, or where `atLeast` is true no less. */
  readonly aim: number
  readonly atLeast?: true
  readonly unit: keyof typeof formats
  /** Absent where it could not be measured on this machine. */
  readonly measured: number | undefined
  /** The best of others, or the same without anything of ours, in the same run. */
  readonly peer?: number
  /** What lies below it, or why it was not measured. */
  readonly note?: string
}

const isMet = ({ aim, atLeast }: Aim, value: number): boolean => (atLeast === true ? value >= aim : value <= aim)

function verdict(of: Aim): string {
  if (of.measured === undefined) return 'not measured'
  if (isMet(of, of.measured)) return 'met'
  return of.peer !== undefined && !isMet(of, of.peer) ? 'missed, as by the peer' : 'missed'
}

/** From one run to the next a tenth is noise: of an exponent 0.1, of anything else a tenth of it. */
const noise = 0.1

/** How a figure has changed since it was saved: nothing where it is within a tenth. */
function change({ atLeast, measured, unit }: Aim, before: number | undefined): string {
  if (measured === undefined || before === undefined || measured === before) return ''
  const isExponent = unit === 'exponent'
  if (before === 0 && !isExponent) return atLeast === true ? 'better' : 'WORSE'
  const more = isExponent ? measured - before : measured / before - 1
  if (Math.abs(more) <= noise) return 'the same'
  const isWorse = atLeast === true ? more < 0 : more > 0
  const by = isExponent ? Math.abs(more).toFixed(2) : `${Math.abs(100 * more).toFixed(0)} %`
  return `${isWorse ? 'WORSE' : 'better'} by ${by}`
}

/** Prints each aim with what was measured, of peers and before, and whether it was met. */
export function printAims(aims: readonly Aim[], load: number, last: ReadonlyMap<string, Saved>): void {
  if (aims.length === 0) return
  const rows = aims.map((of) => {
    const show = (value: number | undefined): string => (value === undefined ? '' : formats[of.unit](value))
    const saved = last.get(of.what)
    const before = saved === undefined ? '' : `${show(saved.measured)} at ${saved.commit.slice(0, 8)}`
    return [
      of.what,
      `${of.atLeast === true ? '≥' : '≤'} ${show(of.aim)}`,
      show(of.measured) || '-',
      show(of.peer),
      before,
      change(of, saved?.measured),
      verdict(of),
      of.note ?? '',
    ]
  })
  console.log(`Aims (load ${load.toFixed(1)}; on a busy machine only shares and ratios say something)`)
  console.log(table([['', 'aim', 'now', 'peer', last.size === 0 ? '' : 'saved last', '', '', ''], ...rows]))
}
