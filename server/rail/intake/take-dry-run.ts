// The tool design guide asks for a dry run with an argument of the tool, `dryRun: true`. Here that is a preview: the argument
// is taken out, so that the plan is of the call that would be applied and not of one that does nothing. Where its default is a
// dry run, a call without it asks for one too, unless it brings the confirmation of the call that is applied.
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
export function takeDryRun({ dryRun: declared, reserved }: Tool, args: Readonly<Record<string, unknown>>): Taken {
  if (declared === undefined) return { own: { ...args }, dryRun: false }
  const { parameter, value, added, off, byDefault } = declared
  const { [parameter]: given, ...others } = args
  if (given === value) return { own: off === undefined ? others : { ...others, [parameter]: off }, dryRun: true }
  if (given === undefined && byDefault === true && off !== undefined)
    return { own: { ...others, [parameter]: off }, dryRun: args[reserved.ticket] === undefined }
  // Any other value of the tool's own argument is the tool's to read, or to refuse.
  if (added !== true) return { own: { ...args }, dryRun: false }
  if (given === undefined || given === false) return { own: others, dryRun: false }
  const wrong = { pointer: toPointer([parameter]), received: glimpse(given), allowed: 'true or false' }
  return { own: others, dryRun: false, wrong }
}
