// Every command that opens a web door says where it is, and none may say more than another: the secret of the start
// stands in an address only where a person at a terminal reads it.
import { rm } from 'node:fs/promises'
import { addressFile, writeAddresses } from '../../http/address-file.ts'
import type { Served } from '../../http/serve.ts'
import { surroundings } from '../../model/surroundings.ts'

/** A web door as far as its addresses go. `publicUrl`: under which address people and agents reach it. */
type Addressed = Pick<Served, 'port' | 'publicUrl' | 'mcpUrl' | 'playgroundUrl' | 'secretIsKept'>

export interface ShownAddresses {
  readonly mcp: string
  readonly playground: string | undefined
  /** Where the secret stands that these addresses lack. `undefined`: they lack none. */
  readonly secretPlace: string | undefined
  /** Removes what was written; while the port is still this server's. */
  forget(): Promise<void>
}

/** The addresses of a web door, as they may be shown here. */
export async function showAddresses(web: Addressed, database?: string): Promise<ShownAddresses> {
  const { search } = new URL(web.mcpUrl)
  const mcp = `${web.publicUrl}/mcp${search}`
  const playground = web.playgroundUrl
  const whole = { mcp, playground, secretPlace: undefined, forget: () => Promise.resolve() }
  if (search === '' && !playground?.includes('?')) return whole
  const bare = { ...whole, mcp: withoutQuery(mcp), playground: playground && withoutQuery(playground) }
  if (web.secretIsKept) return { ...bare, secretPlace: 'access.secret or COUNTERSIGN_ACCESS_SECRET, as ?token=…' }
  if (surroundings().stderr.isTTY) return whole
  const file = addressFile(database, web.port)
  const written = await writeAddresses(file, { mcp, playground })
  if (!written.ok) return { ...bare, secretPlace: `nowhere: ${written.failure}; set COUNTERSIGN_ACCESS_SECRET` }
  // What cannot be removed holds nothing up: no server will have that secret again.
  return { ...bare, secretPlace: file, forget: () => rm(file, { force: true }).catch(() => undefined) }
}

const withoutQuery = (address: string): string => address.split('?')[0] ?? address
