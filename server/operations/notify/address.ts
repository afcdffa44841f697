// Protection against server-side request forgery: a server that posts to addresses can be made to post to what only it can
// reach, such as a database without a password or the credentials that a cloud hands to its machines. A host name can
// be pointed elsewhere after an operator has configured it, so the IP address is checked when the connection is made.
import { lookup as resolve, type LookupAddress, type LookupOptions } from 'node:dns'
import { networkOf } from '../../ip-address.ts'

/** Whether a notification may go to this IP address: always, where private networks are allowed, or never. */
export function reachable(address: string): 'yes' | 'private' | 'never' {
  const network = networkOf(address)
  if (network === 'public') return 'yes'
  return network === 'private' || network === 'loopback' ? 'private' : 'never'
}

/** Why no connection is made to this IP address; `undefined` where one may be. */
export function whyNotTo(address: string, privateNetwork: boolean): string | undefined {
  const found = reachable(address)
  if (found === 'yes' || (found === 'private' && privateNetwork)) return undefined
  return found === 'private'
    ? `${address} is in a private network; set "private_network" on this webhook to allow it`
    : `${address} is not an address that a webhook may have`
}

type Answered = (error: Error | null, address: string | LookupAddress[], family?: number) => void

/** The `lookup` of a `node:http` request; fails when one of the name's addresses may not be connected to. */
export const guardedLookup =
  (privateNetwork: boolean) =>
  (name: string, options: LookupOptions, done: Answered): void =>
    resolve(name, { ...options, all: true }, (error, found) => {
      if (error !== null) return done(error, [])
      const refused = found.map(({ address }) => whyNotTo(address, privateNetwork)).find((why) => why !== undefined)
      const [first] = found
      if (refused !== undefined || first === undefined) return done(new Error(refused ?? `${name} has no address`), [])
      return options.all === true ? done(null, found) : done(null, first.address, first.family)
    })
