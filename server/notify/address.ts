// A server that posts to addresses can be made to post to what only it can reach: a database without a password, the
// credentials that a cloud hands to its machines. Operators write the addresses here, but a name can be pointed elsewhere
// afterwards; so what is checked is the very address that the connection is made to, at the moment that it is made.
import { lookup as resolve, type LookupAddress, type LookupOptions } from 'node:dns'
import { BlockList, isIP } from 'node:net'

const blocked = (ranges: readonly (readonly [string, number])[]): BlockList => {
  const list = new BlockList()
  for (const [net, prefix] of ranges) list.addSubnet(net, prefix, isIP(net) === 6 ? 'ipv6' : 'ipv4')
  return list
}

/** This machine, and networks behind a router (RFC 1918, 4193, 6598, 6890). */
const inside = blocked([
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['100.64.0.0', 10],
  ['::1', 128],
  ['fc00::', 7],
])

/** Where no receiver can be: link-local (the metadata of clouds), nobody, everybody, tests, and ways around this list. */
const never = blocked([
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['::', 128],
  ['64:ff9b::', 96],
  // Another network's own translation (RFC 8215): what lies behind it can be any of these.
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['fe80::', 10],
  ['ff00::', 8],
])

export type Reachable = 'yes' | 'private' | 'never'

/** Whether a notification may go to this IP address. */
export function reachable(address: string): Reachable {
  const family = isIP(address)
  if (family === 0) return 'never'
  const kind = family === 6 ? 'ipv6' : 'ipv4'
  if (never.check(address, kind)) return 'never'
  return inside.check(address, kind) ? 'private' : 'yes'
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
