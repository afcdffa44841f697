// The upstream of the gateway's bench: a server from npm, started in the same way by everyone who stands in front of it.
import { fileURLToPath } from 'node:url'
import type { GatewayConfig } from '../../server/compose/settings/gateway-files.ts'
import { wrapConfig } from '../../server/compose/settings/gateway-files.ts'

export const upstreamFile = fileURLToPath(
  new URL('../../node_modules/@modelcontextprotocol/server-everything/dist/index.js', import.meta.url),
)

/** So many of it, or of another program, as s1, s2 … */
export const benchGateway = async (count: number, args: readonly string[] = [upstreamFile]): Promise<GatewayConfig> => {
  const one = await wrapConfig({
    command: process.execPath,
    args,
    env: { PATH: process.env['PATH'] },
    name: 's1',
  })
  if (!one.ok) throw new Error(one.failure.message)
  const { value } = one
  const names = Array.from({ length: count }, (_, at) => `s${at + 1}`)
  return {
    ...value,
    servers: Object.fromEntries(names.flatMap((name) => Object.values(value.servers).map((server) => [name, server]))),
  }
}
