// A gateway over HTTP as a process of its own: `node serve-gateway.ts <database> <how> <servers>`. `full` is what
// `countersign gateway` serves; `pass` is `wrap` without an activity log, which nobody should run: it shows what the way
// alone costs. Prints its address as one line of JSON, and for each line on its stdin what memory it uses after a collection,
// or how long its thread has worked; ends when its stdin does.
import { createInterface } from 'node:readline'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { compose } from '../../server/compose/compose.ts'
import { openWebDoor } from '../../server/http/playground/web-door.ts'
import { createHttpDoor } from '../../server/mcp/http-door.ts'
import { identifyAllAs } from '../../server/mcp/identity.ts'
import { localPrincipal } from '../../server/mcp/local-principal.ts'
import { benchGateway } from './gateway-servers.ts'

const [file = ':memory:', how = 'full', servers = '1'] = process.argv.slice(2)
const composed = await compose({
  file,
  name: 'Gateway',
  gateway: {
    config: await benchGateway(Number(servers)),
    mode: how === 'pass' ? 'wrap' : 'gateway',
    patienceMs: 60_000,
  },
})
if (!composed.ok) throw new Error(composed.failure.message)
const { parts, sessionKey } = composed.value
// As behind the door that a program opens.
await composed.value.count()
const { activityLog: _, ...unwritten } = parts.engine
const principal = localPrincipal('bench')
const served = how === 'pass' ? { ...parts, engine: unwritten } : parts
const door = createHttpDoor(served, { sessionKey, identify: identifyAllAs(principal) })
const web = await openWebDoor({ mcp: door, port: 0 })
if (!web.ok) throw new Error(web.failure.message)
console.log(JSON.stringify({ url: web.value.mcpUrl }))
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
for await (const word of createInterface({ input: process.stdin })) {
  if (word === 'processor') {
    const { user, system } = process.threadCpuUsage()
    console.log(JSON.stringify([user + system]))
    continue
  }
  // Twice: what the first one frees lets the second one free more.
  collect()
  collect()
  const { heapUsed, rss } = process.memoryUsage()
  console.log(JSON.stringify([heapUsed, rss]))
}
await web.value.close()
await composed.value.close()
