// Countersign as a process of its own: `node serve-countersign.ts <database>`. Prints its address as one line of JSON and
// ends when its stdin does, so that no run leaves one behind.
import { compose } from '../../server/compose/compose.ts'
import { openWebDoor } from '../../server/http/playground/web-door.ts'
import { createHttpDoor } from '../../server/mcp/http-door.ts'
import { identifyAllAs } from '../../server/mcp/identity.ts'
import { localPrincipal } from '../../server/mcp/local-principal.ts'
import { noteContracts } from './contracts.ts'
import { openNotes } from './notes.ts'

const composed = await compose({
  file: process.argv[2] ?? ':memory:',
  name: 'Notes',
  toolsets: [async ({ db }) => ({ tools: noteContracts(await openNotes(db)) })],
})
if (!composed.ok) throw new Error(composed.failure.message)
const { parts, sessionKey } = composed.value
// As behind the door that a program opens.
await composed.value.count()
const principal = localPrincipal('bench')
const door = createHttpDoor(parts, { sessionKey, identify: identifyAllAs(principal) })
const web = await openWebDoor({ mcp: door, port: 0 })
if (!web.ok) throw new Error(web.failure.message)
console.log(JSON.stringify({ url: web.value.mcpUrl }))
for await (const _ of process.stdin);
await web.value.close()
await composed.value.close()
