// The demo's playground as a process of its own: `node serve-playground.ts <database>`. Prints the address of its page as one
// line of JSON and ends when its stdin does.
import { compose } from '../../server/compose/compose.ts'
import { demoOptions } from '../../server/compose/demo-options.ts'
import { playgroundAssets } from '../../server/compose/package-files.ts'
import { openWebDoor } from '../../server/http/playground/web-door.ts'
import { createHttpDoor } from '../../server/mcp/http-door.ts'
import { identifyAllAs } from '../../server/mcp/identity.ts'
import { localPrincipal } from '../../server/mcp/local-principal.ts'

const composed = await compose({ ...demoOptions('orders'), file: process.argv[2] ?? ':memory:' })
if (!composed.ok) throw new Error(composed.failure.message)
const { parts, sessionKey } = composed.value
const mcp = createHttpDoor(parts, { sessionKey, identify: identifyAllAs(localPrincipal('bench')) })
const web = await openWebDoor({ mcp, port: 0, playground: { assets: playgroundAssets() } })
if (!web.ok) throw new Error(web.failure.message)
console.log(JSON.stringify({ url: web.value.playgroundUrl }))
for await (const _ of process.stdin);
await web.value.close()
await composed.value.close()
