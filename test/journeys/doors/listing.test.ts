// What a client can know before its first call, over both doors, from a server on a new database.
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv-provider.js'
import { beforeAll, describe, expect, test } from 'vitest'
import { overHttp, type Agent } from '../agent.ts'
import { freshDatabase } from '../at-end.ts'
import { agentHere, demoHere } from '../in-process.ts'

const doors = {
  stdio: () => agentHere(['demo', '--stdio', '--db', freshDatabase()]),
  http: async () => overHttp((await demoHere(freshDatabase())).mcp),
}

const reads = ['orders_list', 'orders_get', 'products_search', 'get_cheatsheet']
const writes = [
  'orders_create',
  'orders_modify',
  'orders_fulfill',
  'orders_correct',
  'orders_delete',
  'purchases_create',
  'purchases_receive',
  'stock_adjust',
  'cache_rebuild',
]
const appOnly = ['status', 'confirm', 'cancel', 'revise'].map((name) => `countersign_plan_${name}`)
const ofPrograms = [
  'execute_code',
  'create_session',
  'destroy_session',
  'list_sessions',
  'list_runtimes',
  'list_available_packages',
  'get_workspace_info',
  'read_workspace_file',
  'reset_workspace',
  'export_workspace_file',
]
const ours = [...appOnly, 'apply_plan', 'plan_bundle', 'apply_bundle', 'submit_feedback']

describe.each(['stdio', 'http'] as const)('a client that connects over %s', (door) => {
  let agent: Agent
  const tool = (name: string) => {
    const found = agent.tools.find((each) => each.name === name)
    if (found === undefined) throw new Error(`${name} is not listed`)
    return found
  }

  beforeAll(async () => {
    agent = await doors[door]()
  })

  test('learns who serves it, and how the rail works', () => {
    expect(agent.client.getServerVersion()).toMatchObject({ name: 'Order desk' })
    expect(agent.client.getInstructions()).toContain('repeat exactly that call')
  })

  test('finds the tools of the desk, of the sandbox and of the rail, and no other', () => {
    const names = agent.tools.map(({ name }) => name)
    expect(names.toSorted()).toStrictEqual([...reads, ...writes, ...ofPrograms, ...ours].toSorted())
  })

  test('does not find the forbidden tool anywhere', async () => {
    const { resources } = await agent.client.listResources()
    expect(JSON.stringify([agent.tools, resources])).not.toContain('card_token')
  })

  test('sees reads without a card, writes for the model with one, and plan tools for the card alone', () => {
    for (const name of reads) expect([name, tool(name)._meta?.['ui']]).toStrictEqual([name, undefined])
    const card = { resourceUri: 'ui://countersign/card.html', visibility: ['model'] }
    for (const name of [...writes, 'apply_plan']) expect([name, tool(name)._meta?.['ui']]).toStrictEqual([name, card])
    for (const name of appOnly) expect([name, tool(name)._meta?.['ui']]).toStrictEqual([name, { visibility: ['app'] }])
  })

  test('sees hints that follow from the contracts', () => {
    const hints = (name: string) => {
      const { readOnlyHint, destructiveHint } = tool(name).annotations ?? {}
      return [name, readOnlyHint, destructiveHint]
    }
    for (const name of reads) expect(hints(name)).toStrictEqual([name, true, false])
    for (const name of ['orders_create', 'purchases_create']) expect(hints(name)).toStrictEqual([name, false, false])
    for (const name of writes.filter((name) => !name.endsWith('_create')))
      expect(hints(name)).toStrictEqual([name, false, true])
  })

  test('reads what each contract asks and does in the listing, and the whole at the address listed there, with all the errors', async () => {
    for (const name of [...reads, ...writes]) {
      const { uri, ...listed } = (tool(name)._meta?.['countersign/contract'] ?? {}) as {
        readonly uri: string
      }
      expect(listed).toMatchObject({ name: name.replace('_', '.'), operation: expect.any(String) })
      const { contents } = await agent.client.readResource({ uri })
      expect(contents).toHaveLength(1)
      const whole = JSON.parse((contents[0] as { text: string }).text) as Record<string, unknown>
      expect(whole).toMatchObject(listed)
      expect(whole).toMatchObject({
        definition: expect.stringMatching(/^[0-9a-f]{64}$/),
        failures: expect.any(Object),
        description: tool(name).description,
        input_schema: tool(name).inputSchema,
        output_schema: tool(name).outputSchema,
        server_failures: expect.arrayContaining([
          expect.objectContaining({ code: 'validation_error' }),
          ...(writes.includes(name) ? [expect.objectContaining({ code: 'confirmation_mismatch' })] : []),
        ]),
      })
    }
    const risks = { orders_create: 'medium', orders_modify: 'high', orders_delete: 'critical', orders_list: 'low' }
    for (const [name, risk] of Object.entries(risks))
      expect(tool(name)._meta?.['countersign/contract']).toMatchObject({ risk })
  })

  test('is sent to the cheatsheet by the first sentence of every tool of the desk', () => {
    const sentence =
      'Before any write or non-trivial query, fetch `mcp://orders/cheatsheet` first. Do NOT guess property names or association types. '
    for (const name of [...reads, ...writes].filter((name) => name !== 'get_cheatsheet'))
      expect([name, tool(name).description?.startsWith(sentence)]).toStrictEqual([name, true])
  })

  test('gets the cheatsheet as a resource and through the tool, the same text with the same etag', async () => {
    const { contents } = await agent.client.readResource({ uri: 'mcp://orders/cheatsheet' })
    const [sheet] = contents as { text: string; mimeType: string; _meta: Record<string, unknown> }[]
    expect(sheet).toMatchObject({ mimeType: 'text/markdown', _meta: { 'countersign/ttl_seconds': 3600 } })
    const { data } = await agent.call('get_cheatsheet', { name: 'orders' })
    expect(data).toMatchObject({ text: sheet?.text, etag: sheet?._meta['countersign/etag'], ttl_seconds: 3600 })
  })

  test('gets the card as one HTML file', async () => {
    const { contents } = await agent.client.readResource({ uri: 'ui://countersign/card.html' })
    const [card] = contents as { text: string; mimeType: string }[]
    expect(card?.mimeType).toBe('text/html;profile=mcp-app')
    expect(card?.text).toMatch(/^<!doctype html>/i)
  })

  test('reads every resource that is listed, and is told where to look for one that is not', async () => {
    const { resources } = await agent.client.listResources()
    for (const { uri } of resources)
      expect((await agent.client.readResource({ uri })).contents[0]).toMatchObject({ uri })
    await expect(agent.client.readResource({ uri: 'mcp://nothing/cheatsheet' })).rejects.toThrow('resources/list')
  })

  test('sees in every schema a rationale, for writes preview and ticket too, and no room for unknown arguments', () => {
    const validator = new AjvJsonSchemaValidator()
    for (const name of [...reads, ...writes]) {
      const schema = tool(name).inputSchema
      expect([name, schema.required]).toStrictEqual([name, expect.arrayContaining(['rationale'])])
      expect([name, schema['additionalProperties']]).toStrictEqual([name, false])
      const own = Object.keys(schema.properties ?? {})
      expect([name, own.includes('preview'), own.includes('ticket')]).toStrictEqual([
        name,
        writes.includes(name),
        writes.includes(name),
      ])
      // A schema that a client cannot compile is a tool that it cannot call.
      expect(() => validator.getValidator(schema as Record<string, unknown>)).not.toThrow()
    }
  })
})
