// What hosts and agents are told of a tool whose server says little: that it may destroy, and through which door it goes.
import { expect, test } from 'vitest'
import { riskWordsOf } from '../../../../server/gateway/contract/tool-words.ts'
import { upstreamTools } from '../../../../server/gateway/contract/upstream-contracts.ts'
import type { Hints } from '../../../../server/gateway/call-tools/call-with.ts'
import { pinTools } from '../../../../server/gateway/upstream/definitions/pins.ts'
import { createCatalog } from '../../../../server/tools/catalog.ts'
import { createStage } from '../../rail/rail-fixture.ts'
import { misbehavingServer, startOne } from '../servers.ts'
import type { PinStore } from '../../../../server/model/pins.ts'

const forgetful: PinStore = { get: async () => [], put: async () => undefined, accept: async () => false }

/** The first tool of a server, called and annotated like this. */
async function toolOf(name: string, annotations: Hints | undefined, tools: object = {}) {
  const upstream = await startOne(misbehavingServer('polite', '', { tools }))
  const [first] = await pinTools(upstream.name, upstream.tools().tools, forgetful)
  if (first === undefined) throw new Error('The server has no tools.')
  const definition = { ...first.definition, name, annotations }
  const [tool] = upstreamTools(upstream, [{ ...first, definition }], { wireName: (own) => own })
  if (tool === undefined) throw new Error('There is no such tool.')
  return tool
}

test.each([
  ['do_it', undefined, true],
  ['do_it', { readOnlyHint: false }, true],
  ['do_it', { destructiveHint: true }, true],
  ['do_it', { readOnlyHint: false, destructiveHint: false }, false],
  ['delete_it', { destructiveHint: false }, true],
  ['look_up', { readOnlyHint: true }, false],
])('%s, annotated %o: a host that hears of it under its own name is told destructiveHint %s', async (...row) => {
  const [name, hints, destructiveHint] = row
  const tool = await toolOf(name, hints)
  const listed = createCatalog([tool.contract(tool.callWith)]).find(name)
  expect(listed?.annotations).toMatchObject({ destructiveHint })
})

test('what the operator calls low and a write is not announced as destructive', async () => {
  const tool = await toolOf('do_it', undefined, { do_it: { risk: 'low', operation: 'write' } })
  expect(createCatalog([tool.contract(tool.callWith)]).find('do_it')?.annotations.destructiveHint).toBe(false)
})

test.each([
  ['up to high', { when: [{ if: { mode: { equals: 'look' } }, risk: 'low', operation: 'read' }] }],
  ['high', {}],
])('lists say "%s" of what the operator rates so', async (words, more) => {
  const tool = await toolOf('do_it', undefined, { do_it: { risk: 'high', operation: 'write', ...more } })
  expect(riskWordsOf(tool)).toBe(words)
})

test.each([
  ['write_it', { destructiveHint: false }, 'call_tool_write'],
  ['delete_it', undefined, 'call_tool_write'],
  ['write_it', { destructiveHint: true }, 'call_tool_destructive'],
  ['write_it', { readOnlyHint: true }, 'call_tool_destructive'],
  ['create_it', { readOnlyHint: true }, 'call_tool_write'],
])('%s, annotated %o, is sent from the read door to %s', async (name, hints, door) => {
  const tool = await toolOf(name, hints)
  const stage = await createStage([tool.contract('call_tool_read')])
  expect(await stage.ask(name)).toMatchObject({
    outcome: 'previewed',
    preview: { blocked: { text: expect.stringContaining(`Call ${door} with name "it:${name}"`) } },
  })
})
