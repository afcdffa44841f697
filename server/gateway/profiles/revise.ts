// What a profile lets a person change on the card of a call, under the names that the card shows.
import { toPointer } from '../../errors/pointer.ts'
import type { WriteContract } from '../../tools/contract.ts'
import type { ProfiledTool } from './profile.schema.ts'

const pointerOf = (argument: string): string => (argument.startsWith('/') ? argument : toPointer([argument]))

const currencyCode = /^[A-Z]{3}$/

/** The contract's `revise` of a tool with this profile. */
export function revisedBy(profile: Pick<ProfiledTool, 'revise' | 'show'> | undefined): Pick<WriteContract, 'revise'> {
  const { revise, show = [] } = profile ?? {}
  if (revise === undefined) return {}
  if (revise === true) return { revise }
  return {
    revise: revise.map((argument) => {
      const at = pointerOf(argument)
      const { label, currency } = show.find((shown) => pointerOf(shown.argument) === at) ?? {}
      return {
        at,
        ...(label === undefined ? {} : { label }),
        ...(currency !== undefined && currencyCode.test(currency) ? { currency } : {}),
      }
    }),
  }
}
