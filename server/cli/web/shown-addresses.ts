// Every command that opens a web door says where it is, and none may say more than another: the secret of the start
// stands in an address only where a person at a terminal reads it. A file says it to `countersign admin open`.
import { rm } from 'node:fs/promises'
import { addressFile, writeAddresses } from '../../http/address-file.ts'
import type { Served } from '../../http/serve.ts'
import { surroundings } from '../../model/surroundings.ts'

/** A web door as far as its addresses go. `publicUrl`: under which address people and agents reach it. */
type Addressed = Pick<Served, 'port' | 'url' | 'publicUrl' | 'mcpUrl' | 'playgroundUrl' | 'secretIsKept'>

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
  const hasSecret = search !== '' || playground?.includes('?') === true
  const isSecretInFile = hasSecret && !web.secretIsKept && !surroundings().stderr.isTTY
  const file = addressFile(database, web.port)
  const here = { operators: `${web.publicUrl}/admin`, listens: web.url }
  const written = await writeAddresses(file, isSecretInFile ? { mcp, playground, ...here } : here)
  // What cannot be removed holds nothing up: no server will have that secret again.
  const forget = (): Promise<void> => rm(file, { force: true }).catch(() => undefined)
  const whole = { mcp, playground, secretPlace: undefined, forget }
  if (!hasSecret) return whole
  const bare = { ...whole, mcp: withoutQuery(mcp), playground: playground && withoutQuery(playground) }
  if (web.secretIsKept) return { ...bare, secretPlace: 'access.secret or COUNTERSIGN_ACCESS_SECRET, as ?token=…' }
  if (!isSecretInFile) return whole
  return written.ok
    ? { ...bare, secretPlace: file }
    : { ...bare, secretPlace: `nowhere: ${written.failure}; set COUNTERSIGN_ACCESS_SECRET` }
}

const withoutQuery = (address: string): string => address.split('?')[0] ?? address
