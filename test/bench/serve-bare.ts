// The bare tool as a process of its own: `node serve-bare.ts <database>`. McpServer, a registered tool, and a transport
// per session, as the SDK's own examples do it; the kept session makes it the fastest way to use the SDK over HTTP, and
// so the hardest to compare with. Prints its address as one line of JSON and ends when its stdin does.
import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { Hono } from 'hono'
import type { CompiledQuery, Kysely, Transaction } from 'kysely'
import { openStore } from '../../server/store/store.ts'
import type { Tables } from '../../server/store/tables.ts'
import { noteCount, noteInput, noteOutput, openNotes, type Note, type Notes } from './notes.ts'
import { openRecords } from './record-by-hand.ts'

const opened = await openStore({ file: process.argv[2] ?? ':memory:' })
if (!opened.ok) throw new Error(opened.failure.message)
const notes = await openNotes(opened.value.db)
const db = opened.value.db.$extendTables<Tables>()
const records = await openRecords(db, `bare-${process.pid}`)
const plans = await records.plans(noteCount)
let applied = 0
const nextPlan = (): string => plans[applied++ % plans.length] ?? ''

const inOneCommit = <T>(
  writes: readonly CompiledQuery[],
  more?: (trx: Transaction<Tables>) => Promise<T>,
): Promise<T | undefined> =>
  db.transaction().execute(async (trx) => {
    for (const write of writes) await trx.executeQuery(write)
    return more?.(trx)
  })

const createServer = (notes: Notes): McpServer => {
  const server = new McpServer({ name: 'bare', version: '1.0.0' })
  const facts = {
    title: 'Edit note',
    description: 'Replaces the text of a note.',
    inputSchema: noteInput,
    outputSchema: noteOutput,
  }
  const answered = (note: Note | undefined) =>
    note === undefined
      ? { isError: true, content: [{ type: 'text' as const, text: 'It was edited meanwhile.' }] }
      : { content: [{ type: 'text' as const, text: JSON.stringify(note) }], structuredContent: { ...note } }
  const edit = async (input: Parameters<Notes['edit']>[0]) => answered(await notes.edit(input))
  server.registerTool('notes_edit', facts, edit)
  // As many durable commits as an apply promises: that it has begun, the effect, that it has ended.
  server.registerTool('notes_edit_thrice', facts, async (input) => {
    await notes.touch(input.id)
    const answer = await edit(input)
    await notes.touch(input.id)
    return answer
  })
  // The same, with what must be on record of it.
  server.registerTool('notes_edit_recorded', facts, async (input) => {
    const plan = nextPlan()
    const { row, writes } = records.begin(plan)
    await inOneCommit(writes)
    const answer = await edit(input)
    await inOneCommit(records.end(plan, row))
    return answer
  })
  // All of it in the commit of the effect.
  server.registerTool('notes_keep_recorded', facts, async (input) => {
    const plan = nextPlan()
    const { version } = await notes.find(input.id)
    return answered(
      await inOneCommit(records.whole(plan), (trx) => notes.edit(input, version, trx as unknown as Kysely<unknown>)),
    )
  })
  return server
}

const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>()

const app = new Hono().all('/mcp', async (c) => {
  const kept = sessions.get(c.req.header('mcp-session-id') ?? '')
  if (kept !== undefined) return kept.handleRequest(c.req.raw)
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    enableJsonResponse: true,
    onsessioninitialized: (id) => void sessions.set(id, transport),
    onsessionclosed: (id) => void sessions.delete(id),
  })
  await createServer(notes).connect(transport)
  return transport.handleRequest(c.req.raw)
})

const http = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, (address: AddressInfo) => {
  console.log(JSON.stringify({ url: `http://127.0.0.1:${address.port}/mcp` }))
})
for await (const _ of process.stdin);
http.close()
if ('closeAllConnections' in http) http.closeAllConnections()
await opened.value.close()
