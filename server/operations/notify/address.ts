// A server that posts to addresses can be made to post to what only it can reach: a database without a password, the
// credentials that a cloud hands to its machines. Operators write the addresses here, but a name can be pointed elsewhere
// afterwards; so what is checked is the very address that the connection is made to, at the moment that it is made.
import { lookup as resolve, type LookupAddress, type LookupOptions } from 'node:dns'
import { networkOf } from '../../ip-address.ts'

export type Reachable = 'yes' | 'private' | 'never'

/** Whether a notification may go to this IP address. What is none may not be gone to. */
export function reachable(address: string): Reachable {
  const network = networkOf(address)
  if (network === 'public') return 'yes'
  return network === 'private' || network === 'loopback' ? 'private' : 'never'
}

/** Why this address is not connected to; `undefined` where it may be. */
export function whyNotTo(address: string, privateNetwork: boolean): string | undefined {
  const found = reachable(address)
  if (found === 'yes' || (found === 'private' && privateNetwork)) return undefined
  return found === 'private'
    ? `${address} lies in a private network; set "private_network" on this webhook if that is meant`
    : `${address} is no address that a receiver can have`
}

type Answered = (error: Error | null, address: string | LookupAddress[], family?: number) => void

/** A name's addresses as `node:net` asks for them, refused when one of them may not be connected to. */
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
