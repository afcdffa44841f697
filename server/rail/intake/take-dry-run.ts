// The tool design guide asks for a dry run with an argument of the tool, `dryRun: true`. Here that is a preview: the argument
// is taken out, so that the plan is of the call that would be applied and not of one that does nothing.
import { glimpse } from '../../errors/glimpse.ts'
import type { FieldError } from '../../errors/guidance.ts'
import { toPointer } from '../../errors/pointer.ts'
import type { Tool } from '../../tools/catalog.ts'

interface Taken {
  /** The call's arguments without what asks for a dry run. */
  readonly own: Record<string, unknown>
  readonly dryRun: boolean
  readonly wrong?: FieldError
}

/** Takes the argument out of a call that asks for a dry run, as its contract declares it. */
export function takeDryRun({ dryRun: declared }: Tool, args: Readonly<Record<string, unknown>>): Taken {
  if (declared === undefined) return { own: { ...args }, dryRun: false }
  const { parameter, value, added, off } = declared
  const { [parameter]: given, ...others } = args
  if (given === value) return { own: off === undefined ? others : { ...others, [parameter]: off }, dryRun: true }
  // Any other value of the tool's own argument is the tool's to read, or to refuse.
  if (added !== true) return { own: { ...args }, dryRun: false }
  if (given === undefined || given === false) return { own: others, dryRun: false }
  const wrong = { pointer: toPointer([parameter]), received: glimpse(given), allowed: 'true or false' }
  return { own: others, dryRun: false, wrong }
}
