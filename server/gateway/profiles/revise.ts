// What a profile lets a person change on the card of a call, under the names that the card shows.
import { toPointer } from '../../errors/pointer.ts'
import type { WriteContract } from '../../tools/contract.ts'
import type { ProfiledTool } from './profile.schema.ts'

const pointerOf = (argument: string): string => (argument.startsWith('/') ? argument : toPointer([argument]))

const currencyCode = /^[A-Z]{3}$/

/** The places that a profile names, as a contract names them. */
export const revisedPlaces = ({ revise, show = [] }: Pick<ProfiledTool, 'revise' | 'show'>) =>
  (Array.isArray(revise) ? revise : []).map((argument) => {
    const at = pointerOf(argument)
    const ofShown = show.find((shown) => pointerOf(shown.argument) === at.replace(/\/\*$/, ''))
    const { label, currency } = ofShown ?? {}
    return {
      at,
      ...(label === undefined ? {} : { label }),
      ...(currency !== undefined && currencyCode.test(currency) ? { currency } : {}),
    }
  })

/** The contract's `revise` of a tool with this profile. */
export function revisedBy(profile: Pick<ProfiledTool, 'revise' | 'show'> | undefined): Pick<WriteContract, 'revise'> {
  if (profile?.revise === undefined) return {}
  return { revise: profile.revise === true ? true : revisedPlaces(profile) }
}
