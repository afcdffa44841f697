// A remote server that asks for a login, a gateway's settings in front of it, and a person who logs in there.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startProtectedServer } from '../../kit/protected-server.ts'
import { openWanderer } from '../../server/http/auth/openid-provider.ts'
import { atEnd, freshDatabase, place } from '../at-end.ts'
import type { Ended } from '../processes.ts'
import { atTerminal } from '../terminal.ts'

/** `entry`: what stands in the entry of the server besides. */
export async function loginScene(entry: object = {}) {
  const server = await startProtectedServer()
  atEnd(() => server.close())
  const [db, config] = [freshDatabase(), join(place(), 'gateway.json')]
  const tracker = { url: server.url, oauth: { private_network: true }, ...entry }
  writeFileSync(config, JSON.stringify({ db, mcpServers: { tracker } }))
  return { server, db, config }
}

export const isCallback = ({ pathname }: URL): boolean => pathname === '/callback'

/** The address that a login has printed. */
export const addressIn = (text: string): string | undefined => /^ {2}(http\S+)$/m.exec(text)?.[1]

/** Runs `countersign login` in the process of the test, and agrees in its browser. */
export async function logInHere(args: readonly string[]): Promise<Ended> {
  const agree = async (shown: string): Promise<string> => {
    await fetch(await openWanderer().passProvider(addressIn(shown) ?? '', 'ada', isCallback))
    return ''
  }
  return atTerminal(['login', '--no-browser', ...args], [['  http', agree]])
}
