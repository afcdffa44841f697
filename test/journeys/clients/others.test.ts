// Clients that others have written, in front of the real server: each lists the tools, previews a write, applies it once a
// person has agreed, and reads a resource. Where there is a framework, its own loop runs, with a model behind a real address
// that does what it is told by what reaches it, and by nothing else. What is asked is whether all of it arrives.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Asked, Called, Reply, ScriptedModel } from '../../server/eval/model-server.ts'
import { startModelServer } from '../../server/eval/model-server.ts'
import { overHttp, overStdio, rationale, type Agent } from '../agent.ts'
import { freshDatabase, place } from '../at-end.ts'
import { longest } from '../../longest.ts'
import { binary, environment, start, startDemo, type Ended, type Running } from '../processes.ts'
import { checkInstalled, clients } from './packages.ts'

const resource = 'mcp://orders/cheatsheet'

beforeAll(checkInstalled)

interface Found {
  readonly tools: readonly string[]
  readonly resource: string
  readonly replies: readonly string[]
}

/** Nothing of a test is sent to anybody. */
const withoutFigures = { MASTRA_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1' }

/** Waits for the end of a program. @throws with what it has printed, where it does not come. */
async function endOf(running: Running): Promise<Ended> {
  const late = setTimeout(() => running.child.kill('SIGKILL'), longest)
  const ended = await running.ended
  clearTimeout(late)
  return ended
}

/** Runs a program of `test/clients` to its end, and reads what it says last. */
async function runClient(name: string, job: object): Promise<Found> {
  const running = start([join(clients, `${name}.mjs`), JSON.stringify(job)], { env: withoutFigures })
  running.child.stdin?.end()
  const { code, stdout, stderr } = await endOf(running)
  if (code !== 0) throw new Error(`${name} ended with ${code}: ${stdout}${stderr}`)
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Found
}

const wish = 'Order two DESK-01 for Acme Ltd'
const consent = 'Yes, create it.'
const twoDesks = { customer: 'ACME', lines: [{ sku: 'DESK-01', quantity: 2 }], rationale }

/** What tools answered, as the model reads it. */
const toolTexts = ({ chat }: Asked): readonly string[] =>
  chat.flatMap((said) => (said.by === 'tool' ? [unwrapped(said.text)] : []))

interface Part {
  readonly text: string
}

/** The AI SDK writes a text as a list of its parts, in JSON; LangChain as one part, with the structured result beside it. */
const unwrapped = (text: string): string =>
  /^\[?\{"type":"text"/.test(text)
    ? [JSON.parse(text) as Part | readonly Part[]]
        .flat()
        .map((part) => part.text)
        .join('\n')
    : text

const previewIn = (asked: Asked): string => toolTexts(asked).findLast((text) => text.includes('**Create a sales')) ?? ''

/** The arguments that the preview's last line tells. */
function toldBy(preview: string): Called['args'] {
  const [, ticket] = /the same arguments and rationale, `ticket="(pl_\w+)"` and `preview=false`/.exec(preview) ?? []
  return { ...twoDesks, ticket, preview: false }
}

/** The model's turns. It knows its tools by their names, before which some frameworks put the server's. */
const turns: readonly ((asked: Asked) => Omit<Reply, 'calls'> & { readonly calls?: readonly Called[] })[] = [
  () => ({ calls: [{ tool: 'orders_create', args: { ...twoDesks, customer: 'Acme Ltd' } }] }),
  // The error says where customers' names are found.
  () => ({ calls: [{ tool: 'orders_list', args: { rationale } }] }),
  () => ({ calls: [{ tool: 'orders_create', args: twoDesks }] }),
  (asked) => ({ text: `${previewIn(asked)}\nShall I?` }),
  () => ({ calls: [{ tool: 'orders_list', args: { rationale } }] }),
  (asked) => ({ calls: [{ tool: 'orders_create', args: toldBy(previewIn(asked)) }] }),
  // It forgets that it has done so.
  (asked) => ({ calls: [{ tool: 'orders_create', args: toldBy(previewIn(asked)) }] }),
  () => ({ calls: [{ tool: 'orders_list', args: { rationale } }] }),
  // What it may not apply by itself. Its answer says who decides, and where.
  () => ({ calls: [{ tool: 'orders_delete', args: { id: 'SO-1005', rationale } }] }),
  (asked) => ({ text: `Done: ${toolTexts(asked).find((text) => text.includes('Applied.'))}` }),
]

const clerk: ScriptedModel = (asked) => {
  // Mastra makes one turn of several.
  const taken = asked.chat.flatMap((said) =>
    said.by === 'model' ? [...said.calls, ...(said.text === '' ? [] : [1])] : [],
  ).length
  const { calls = [], ...reply } = turns[taken]?.(asked) ?? { text: 'There is nothing left to do.' }
  const nameOf = (tool: string): string => asked.tools.find(({ name }) => name.endsWith(tool))?.name ?? tool
  return { ...reply, calls: calls.map((call) => ({ ...call, tool: nameOf(call.tool) })) }
}

const stdioLine = (db: string): readonly string[] => [...binary, 'demo', '--stdio', '--db', db]

/** Where a client finds the server, as its programs are told it; and our own agent, who looks what became of it. */
type Door = (db: string) => Promise<{
  readonly job: { readonly child?: object; readonly url?: string }
  readonly look: () => Promise<Agent>
}>

const doors: Readonly<Record<string, Door>> = {
  stdio: async (db) => ({
    job: { child: { command: process.execPath, args: stdioLine(db), env: environment() } },
    look: () => overStdio(stdioLine(db), { cards: false }),
  }),
  HTTP: async (db) => {
    const { mcp } = await startDemo(db)
    return { job: { url: mcp.href }, look: () => overHttp(mcp, { cards: false }) }
  },
}

interface Parameters {
  readonly properties?: Readonly<Record<string, unknown>> | undefined
  readonly required?: readonly string[] | undefined
}

/** What an argument may be is written anew by LangChain, which drops what may be null, and by Mastra. */
const argumentsIn = (schema: unknown): object => {
  const { properties = {}, required = [] } = schema as Parameters
  return { names: Object.keys(properties), required }
}

const ordersIn = (agent: Agent): Promise<readonly { readonly id: string; readonly customer: string }[]> =>
  agent.call('orders_list').then(({ data }) => data['orders'] as never)

/** Runs a command of mcporter, and reads the JSON that it prints. */
async function mcporter(
  config: string,
  ...args: readonly string[]
): Promise<{ readonly code: number | null; readonly said: Readonly<Record<string, unknown>> }> {
  const running = start([join(clients, 'node_modules', 'mcporter', 'dist', 'cli.js'), '--config', config, ...args])
  running.child.stdin?.end()
  const { code, stdout, stderr } = await endOf(running)
  if (!stdout.startsWith('{')) throw new Error(`mcporter ${args.join(' ')} printed: ${stdout}${stderr}`)
  return { code, said: JSON.parse(stdout) as Record<string, unknown> }
}

describe.each(Object.keys(doors))('over %s', (door) => {
  test.each([
    // It keeps the server’s instructions to itself.
    { client: 'openai-agents', hasInstructions: false },
    { client: 'ai-sdk', hasInstructions: true },
    { client: 'langchain', hasInstructions: true },
    { client: 'mastra', hasInstructions: true },
  ])(
    'the loop of $client brings errors, previews and results to its model, and an order that the person agrees to is made once',
    async ({ client, hasInstructions }) => {
      const server = await startModelServer(clerk, undefined, false)
      const { job, look } = await (doors[door] as Door)(freshDatabase())
      const found = await runClient(client, { ...job, model: server.openai, said: [wish, consent], resource })

      const asked = server.asked.at(-1) as Asked
      const agent = await look()
      const prefix = client === 'mastra' ? 'desk_' : ''
      const names = agent.tools.map(({ name }) => prefix + name)
      expect(found.tools).toStrictEqual(names)
      expect(asked.tools.map(({ name }) => name)).toStrictEqual(names)
      expect(asked.tools.map(({ description }) => description)).toStrictEqual(
        agent.tools.map(({ description }) => description),
      )
      expect(asked.tools.map(({ parameters }) => argumentsIn(parameters))).toStrictEqual(
        agent.tools.map(({ inputSchema }) => argumentsIn(inputSchema)),
      )
      expect(asked.system.includes(agent.client.getInstructions() ?? '')).toBe(hasInstructions)

      const [refused, before, preview, after, applied, repeated, last, deletion] = toolTexts(asked)
      expect(refused).toContain('**Customer “Acme Ltd” does not exist.** (unknown_customer)')
      expect(refused).toContain('→ Use the name of a customer exactly as orders_list shows it.')
      expect(preview).toContain('→ Stock of DESK-01 goes from 9 to 7')
      expect(preview).toContain('Nothing has happened yet.')
      expect(before).toContain('orders (8):')
      expect(after).toBe(before)
      expect(applied).toMatch(/^Applied\.\n\n\*\*Order SO-1009 created\*\*/)
      expect(repeated).toMatch(/^This was already applied at /)
      expect(repeated).toContain('**Order SO-1009 created**')
      expect(last).toContain('orders (9):')
      expect(deletion).toContain("**This needs a person's approval outside of this chat; nothing has happened yet.**")
      expect(deletion).toMatch(/^Tell the person: approve or reject ap_\w+ /m)

      expect(found.replies).toStrictEqual([
        expect.stringMatching(/ACME is not told[^]*Shall I\?$/),
        expect.stringMatching(/^Done: Applied\.[^]*"id":"SO-1009"/),
      ])
      expect(JSON.stringify(server.asked)).not.toContain('cs1_')
      expect(await ordersIn(agent)).toHaveLength(9)
      expect((await ordersIn(agent)).filter(({ id }) => id === 'SO-1009')).toMatchObject([{ customer: 'ACME' }])
      const read = await agent.client.readResource({ uri: resource })
      expect(read.contents).toMatchObject([{ text: found.resource }])
    },
  )

  test('mcporter lists tools, previews an order, applies it once by its plan, and reads a resource', async () => {
    const { job, look } = await (doors[door] as Door)(freshDatabase())
    const config = join(place(), 'mcporter.json')
    writeFileSync(config, JSON.stringify({ mcpServers: { desk: job.child ?? { url: job.url } }, imports: [] }))
    const call = (tool: string, args: object) =>
      mcporter(config, 'call', `desk.${tool}`, '--args', JSON.stringify(args), '--output', 'json')

    const agent = await look()
    const listed = await mcporter(config, 'list', 'desk', '--json')
    expect(listed.said).toMatchObject({
      status: 'ok',
      tools: agent.tools.map(({ name, description }) => ({ name, description })),
    })

    const refused = await call('orders_create', { ...twoDesks, customer: 'Acme Ltd' })
    expect(refused).toMatchObject({
      code: 1,
      said: { status: 'failed', next: 'Use the name of a customer exactly as orders_list shows it.' },
    })

    const preview = await call('orders_create', twoDesks)
    expect(preview).toMatchObject({
      code: 0,
      said: {
        status: 'previewed',
        next: expect.stringMatching(/^Ask the person, and on a clear yes call orders_create/),
      },
    })
    expect(await ordersIn(agent)).toHaveLength(8)

    // Over stdio each of its calls starts the server anew: the plan lies in the database.
    const told = toldBy(String(preview.said['next']))
    const order = { result: { order: { id: 'SO-1009', customer: 'ACME' } } }
    expect(await call('orders_create', told)).toMatchObject({ code: 0, said: { status: 'applied', ...order } })
    expect(await call('orders_create', told)).toMatchObject({ code: 0, said: { status: 'replayed', ...order } })
    expect(await ordersIn(agent)).toHaveLength(9)

    const { contents } = await agent.client.readResource({ uri: resource })
    expect(await mcporter(config, 'resource', 'desk', resource, '--json')).toMatchObject({
      code: 0,
      said: { contents },
    })
  })
})
