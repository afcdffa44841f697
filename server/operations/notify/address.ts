// Which addresses a webhook may have.
import { guardedLookup, reachable, type WhyNot } from '../../guarded-lookup.ts'

/** Why no notification goes to this IP address; `undefined` where one may. */
export function whyNotTo(address: string, privateNetwork: boolean): string | undefined {
  const found = reachable(address)
  if (found === 'yes' || (found === 'private' && privateNetwork)) return undefined
  return found === 'private'
    ? `${address} is in a private network; set "private_network" on this webhook to allow it`
    : `${address} is not an address that a webhook may have`
}

const whyNotOf =
  (privateNetwork: boolean): WhyNot =>
  (address) =>
    whyNotTo(address, privateNetwork)

/** The `lookup` of a webhook's requests. */
export const webhookLookup = (privateNetwork: boolean) => guardedLookup(whyNotOf(privateNetwork))
