// Where requests come from, for whatever is counted by the address: tries to sign in, downloads.
import { getConnInfo } from '@hono/node-server/conninfo'
import type { Context } from 'hono'
import { countedAs } from '../ip-address.ts'

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
