// Where requests come from, for whatever is counted by the address: tries to sign in, downloads.
import { isIPv6 } from 'node:net'
import { getConnInfo } from '@hono/node-server/conninfo'
import type { Context } from 'hono'

/**
 * Where a request comes from. Behind https there is a proxy, since this server speaks plain http; the address that the
 * nearest one has seen stands last in X-Forwarded-For. Without a proxy anybody could write that header.
 */
export function addressOf(c: Context, publicUrl: string | undefined): string {
  const forwarded = publicUrl?.startsWith('https://') === true ? c.req.header('x-forwarded-for') : undefined
  const last = forwarded?.split(',').at(-1)?.trim()
  if (last !== undefined && last !== '') return countedAs(last.slice(0, 64))
  try {
    return countedAs(getConnInfo(c).remote.address ?? 'unknown')
  } catch {
    // Asked without a socket, as tests do.
    return 'unknown'
  }
}

/** Of IPv6 its network: whoever has one address of that has 2^64 (RFC 4291, 2.5.4). IPv4 stays IPv4, however it is written. */
function countedAs(address: string): string {
  const [plain = ''] = address.split('%')
  const mapped = /^::ffff:([\d.]+)$/i.exec(plain)?.[1]
  if (mapped !== undefined || !isIPv6(plain)) return mapped ?? address
  const [before = [], behind = []] = plain.split('::').map((part) => part.split(':').filter(Boolean))
  const zeros = Array.from({ length: 8 - before.length - behind.length }, () => '0')
  const network = [...before, ...zeros, ...behind].slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16))
  return `${network.join(':')}::/64`
}
