// Protection against server-side request forgery: a server that asks addresses which somebody else names can be made to ask
// what only it can reach, such as a database without a password or the credentials that a cloud hands to its machines. A
// host name can be pointed elsewhere after it was looked at, so the IP address is checked when the connection is made.
import { lookup as resolve, type LookupAddress, type LookupOptions } from 'node:dns'
import { isIP } from 'node:net'
import { networkOf } from './ip-address.ts'

/** Whether this IP address may be asked: always, where private networks are allowed, or never. */
export function reachable(address: string): 'yes' | 'private' | 'never' {
  const network = networkOf(address)
  if (network === 'public') return 'yes'
  return network === 'private' || network === 'loopback' ? 'private' : 'never'
}

/** Why no connection is made to an IP address; `undefined` where one may be. */
export type WhyNot = (address: string) => string | undefined

/** The same of a host of a URL that is an IP address: no name is looked up for it. */
export function whyNotToHost(hostname: string, whyNot: WhyNot): string | undefined {
  const literal = hostname.replace(/^\[|\]$/g, '')
  return isIP(literal) === 0 ? undefined : whyNot(literal)
}

type Answered = (error: Error | null, address: string | LookupAddress[], family?: number) => void

/** The `lookup` of a `node:http` request; fails when one of the name's addresses may not be connected to. */
export const guardedLookup =
  (whyNot: WhyNot) =>
  (name: string, options: LookupOptions, done: Answered): void =>
    resolve(name, { ...options, all: true }, (error, found) => {
      if (error !== null) return done(error, [])
      const refused = found.map(({ address }) => whyNot(address)).find((why) => why !== undefined)
      const [first] = found
      if (refused !== undefined || first === undefined) return done(new Error(refused ?? `${name} has no address`), [])
      return options.all === true ? done(null, found) : done(null, first.address, first.family)
    })
