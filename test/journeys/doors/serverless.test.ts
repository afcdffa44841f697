// A serverless platform makes a handler for each cold start, asks now this one and now that one, and keeps none of them. On
// one PostgreSQL they are one server.
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { createCountersign, type Countersign } from '../../../server/index.ts'
import { testDatabase, testSecret } from '../../postgres.ts'
import { writeTool } from '../../kit/tools.ts'
import { confirm, connect } from '../agent.ts'
import { atEnd } from '../at-end.ts'

const runs: string[] = []

/** What a module of a platform makes at its cold start. */
function coldStart(store: string, instance: string): Countersign {
  const noteTool = writeTool({
    name: 'notes.write',
    risk: 'high',
    basis: () => 'unchanged',
    input: z.strictObject({ name: z.string() }),
    output: z.object({ instance: z.string() }),
    run: ({ name }) => {
      runs.push(`${name} in ${instance}`)
      return { instance }
    },
  })
  const made = createCountersign({
    store,
    secret: testSecret,
    tools: [noteTool],
    principalOf: ({ headers }) => ({ tenant: 'default', subject: headers.get('x-user') ?? 'nobody' }),
  })
  atEnd(() => made.close())
  return made
}

test('what one instance previewed another applies, once, and a third knows of it', async () => {
  const database = await testDatabase()
  atEnd(() => database.drop())
  const instances = ['first', 'second', 'third'].map((name) => coldStart(database.url, name))
  let asked = 0
  const agent = await connect(
    new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), {
      fetch: (address, init) => {
        const instance = instances[asked]
        if (instance === undefined) throw new Error('there are three')
        return instance.fetch(new Request(address, init))
      },
      requestInit: { headers: { 'x-user': 'ada' } },
    }),
  )
  const preview = await agent.call('notes_write', { name: 'plan' })
  expect(preview.status).toBe('previewed')
  asked = 1
  expect(await confirm(agent, preview)).toMatchObject({ status: 'applied', data: { result: { instance: 'second' } } })
  asked = 2
  expect(await confirm(agent, preview)).toMatchObject({ status: 'replayed', data: { result: { instance: 'second' } } })
  expect(runs).toStrictEqual(['plan in second'])
})

test('instances that start cold together on an empty database make its tables once', async () => {
  const database = await testDatabase()
  atEnd(() => database.drop())
  const answers = await Promise.all(
    ['one', 'two', 'three'].map((name) =>
      coldStart(database.url, name).fetch(
        new Request('http://localhost/mcp', {
          method: 'POST',
          headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
          body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
        }),
      ),
    ),
  )
  expect(answers.map(({ status }) => status)).toStrictEqual([200, 200, 200])
})
