// A client that knows the server behind looks for what that server says of its tools: in `_meta`, in icons. It finds it
// where it always was, without what claims to be ours.
import { expect, test } from 'vitest'
import { pinTools } from '../../../../server/gateway/upstream/definitions/pins.ts'
import { listTools } from '../../../../server/mcp/listing.ts'
import { createCatalog } from '../../../../server/tools/catalog.ts'
import { readsOnly } from '../rating/reads-only.ts'
import { contractsOf, misbehavingServer, startOne } from '../servers.ts'

test('the listing repeats what its server says of a tool, without keys of ours and ways to its views', async () => {
  const upstream = await startOne(misbehavingServer('polite', '', readsOnly('odd')))
  const pinned = await pinTools(upstream.name, upstream.tools().tools, {
    get: async () => [],
    put: async () => undefined,
    accept: async () => false,
  })
  const contracts = contractsOf(upstream, pinned, { variant: 'call_tool_read', wireName: (tool) => tool })
  const listed = listTools(createCatalog(contracts), 'inline').find(({ name }) => name === 'odd')
  expect(listed?.icons).toEqual([{ src: 'data:image/png;base64,AA==', mimeType: 'image/png' }])
  expect(Object.keys(listed?._meta ?? {}).toSorted()).toEqual(['countersign/contract', 'vendor/x'])
  expect(listed?._meta?.['vendor/x']).toEqual({ theirs: 1 })
})
