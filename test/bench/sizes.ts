// What a call costs by the size of what is sent, by how many tools there are, and by how much the database holds: each as a
// curve with its exponent. What is above linear, or grows at all where it need not, is to be mended.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { compose, type ComposeOptions } from '../../server/compose/compose.ts'
import { openWebDoor } from '../../server/http/playground/web-door.ts'
import { createHttpDoor } from '../../server/mcp/http-door.ts'
import { identifyAllAs } from '../../server/mcp/identity.ts'
import { localPrincipal } from '../../server/mcp/local-principal.ts'
import { writeTool } from '../kit/tools.ts'
import type { Aim } from './aims.ts'
import { curves, decades, flat, linear } from './curve.ts'
import { benchGateway } from './gateway-servers.ts'
import { withFolder, withPostgres } from './processes.ts'
import { openClient, type Answered } from './raw-client.ts'
import { byPlans, byRows } from './sizes-stored.ts'

const rationale = 'The benchmark asks for it.'
/** So many tools has one server behind, at most: its list is one line of JSON, which has a limit. */
const toolsOfServer = 1000
const recorded = fileURLToPath(new URL('serve-recorded.ts', import.meta.url))

/** Measures and prints. `--largest`: up to a million plans and ten million rows. */
export async function sizes(): Promise<readonly Aim[]> {
  const largest = process.argv.includes('--largest')
  const aims: Aim[] = []
  await withFolder(async (folder) => {
    let made = 0
    const file = () => Promise.resolve(join(folder, `${made++}.db`))
    aims.push(...(await byBytes(file)), ...(await byTools(file)))
    aims.push(...(await byPlans('SQLite', file, largest)), ...(await byRows('SQLite', file, largest)))
  })
  await withPostgres(async (database) => {
    aims.push(...(await byPlans('PostgreSQL', database, largest)), ...(await byRows('PostgreSQL', database, largest)))
  })
  return aims
}

/** A whole server over HTTP, in this process, and a client of it. */
async function serve(options: ComposeOptions) {
  const composed = await compose(options)
  if (!composed.ok) throw new Error(composed.failure.message)
  const { parts, sessionKey } = composed.value
  const door = createHttpDoor(parts, { sessionKey, identify: identifyAllAs(localPrincipal('bench')) })
  const web = await openWebDoor({ mcp: door, port: 0 })
  if (!web.ok) throw new Error(web.failure.message)
  const client = await openClient(web.value.mcpUrl)
  return {
    client,
    close: async () => {
      client.close()
      await web.value.close()
      await composed.value.close()
    },
  }
}
type Served = Awaited<ReturnType<typeof serve>>

/** The gateway of so many tools of others; it waits until all of them are known. */
const serveGateway = async (file: string, tools: number, mode: 'gateway' | 'wrap'): Promise<Served> => {
  const each = Math.min(tools, toolsOfServer)
  const config = await benchGateway(tools / each, [recorded, 'memory', String(each)])
  return serve({ file, gateway: { config, mode, patienceMs: 600_000 } })
}

interface Body {
  readonly result?: {
    readonly isError?: boolean
    readonly _meta?: { readonly 'countersign/card'?: { readonly plan?: { readonly ticket: string } } }
  }
}

/** A fast refusal says nothing. */
function resultOf({ body }: Answered): NonNullable<Body['result']> {
  const { result } = JSON.parse(body) as Body
  if (result === undefined || result.isError === true)
    throw new Error(`It answered something else: ${body.slice(0, 500)}`)
  return result
}

async function preview({ client }: Served, tool: string, args: Readonly<Record<string, unknown>>) {
  const answered = await client.call(tool, args)
  const ticket = resultOf(answered)._meta?.['countersign/card']?.plan?.ticket
  if (ticket === undefined) throw new Error(`No card: ${answered.body.slice(0, 500)}`)
  return { ms: answered.ms, ticket }
}

async function previewAndApply(server: Served, tool: string, args: object) {
  const previewed = await preview(server, tool, { ...args, rationale })
  const applied = await server.client.call(tool, { ...args, rationale, ticket: previewed.ticket, preview: false })
  resultOf(applied)
  return [previewed.ms, applied.ms] as const
}

/** Arguments of about so many bytes of JSON: one text, and the entries of the knowledge graph of a server behind. */
const textOf = (bytes: number, turn: number): string =>
  `Turn ${turn}. A line of a text.\n`.repeat(bytes / 28).slice(0, bytes)
const entitiesOf = (bytes: number, turn: number) =>
  Array.from({ length: Math.ceil(bytes / 500) }, (_, at) => ({
    name: `Entity ${at} of turn ${turn}`,
    entityType: 'order',
    observations: [textOf(200, at), textOf(200, at + turn)],
  }))

/** The largest is what a call may hold, without room for its other arguments. */
const bytes = [1_000, 10_000, 100_000, 950_000]

const byBytes = async (file: () => Promise<string>): Promise<readonly Aim[]> => {
  const input = z.strictObject({ text: z.string() })
  const output = z.strictObject({ characters: z.int() })
  const write = writeTool({ name: 'texts.write', input, output, run: ({ text }) => ({ characters: text.length }) })
  const own = await serve({ file: await file(), tools: [write] })
  const behind = await serveGateway(await file(), 10, 'wrap')
  try {
    return await curves({
      title: 'arguments',
      unit: 'bytes',
      sizes: bytes,
      aims: { 'text, preview': linear, 'text, apply': linear, 'list, preview': linear, 'list, apply': linear },
      open: async (size) => ({
        rounds: [
          async (turn) => {
            const [first, second] = await previewAndApply(own, 'texts_write', { text: textOf(size, turn) })
            return { 'text, preview': first, 'text, apply': second }
          },
          async (turn) => {
            const entities = entitiesOf(size * 0.8, turn)
            const [first, second] = await previewAndApply(behind, 'create_entities', { entities })
            return { 'list, preview': first, 'list, apply': second }
          },
        ],
      }),
    })
  } finally {
    await own.close()
    await behind.close()
  }
}

const byTools = (file: () => Promise<string>): Promise<readonly Aim[]> =>
  curves({
    title: 'catalogue',
    unit: 'tools',
    sizes: decades(1, 4),
    // One behind is asked for its server's list again (ADR 38), which grows up to `toolsOfServer`.
    aims: { preview: flat, 'preview behind': linear, retrieve_tools: linear, 'tools/list': linear },
    open: async (tools) => {
      const input = z.strictObject({ id: z.string(), text: z.string().max(500).optional(), lines: z.array(z.int()) })
      const named = (at: number) =>
        writeTool({ name: `things.change${at}`, input, output: input, run: (given) => given })
      const own = await serve({ file: await file(), tools: Array.from({ length: tools }, (_, at) => named(at)) })
      const gateway = await serveGateway(await file(), tools, 'gateway')
      return {
        rounds: [
          async (turn) => {
            const args = { id: `thing-${turn}`, lines: [turn], rationale }
            return { preview: (await preview(own, 'things_change0', args)).ms }
          },
          async (turn) => {
            const args = {
              name: 's1:create_entities',
              args_json: JSON.stringify({ entities: entitiesOf(100, turn) }),
              intent: { operation_type: 'write', reason: rationale },
            }
            return { 'preview behind': (await preview(gateway, 'call_tool_write', args)).ms }
          },
          async () => {
            const found = await gateway.client.call('retrieve_tools', {
              query: 'create an issue in a project',
              rationale,
            })
            resultOf(found)
            return { retrieve_tools: found.ms }
          },
          async () => ({ 'tools/list': (await own.client.list()).ms }),
        ],
        close: async () => {
          await own.close()
          await gateway.close()
        },
      }
    },
  })
