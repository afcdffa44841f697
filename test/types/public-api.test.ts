// The shape of the package, pinned: what is here is a promise, and what is not here can change.
import { expect, expectTypeOf, test } from 'vitest'
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { McpServer as ModernMcpServer } from '@modelcontextprotocol/server'
import * as api from '../../server/index.ts'
import type {
  Card,
  Claims,
  Contract,
  Countersign,
  CountersignOptions,
  HttpOptions,
  Message,
  Parsed,
  Preview,
  Principal,
  ReadContract,
  EngineSettings,
  Success,
  WebDoor,
  WriteContract,
} from '../../server/index.ts'

test('the values that the package exports', () => {
  expect(Object.keys(api).toSorted()).toStrictEqual([
    'CardError',
    'ContractError',
    'CountersignError',
    'createCountersign',
    'defineRead',
    'defineTool',
    'defineWrite',
    'errorCard',
    'figureText',
    'files',
    'formatApply',
    'formatCancel',
    'formatPreview',
    'mail',
    'markdownBlocks',
    'parseApply',
    'parseMessage',
    'patched',
    'pictureBlock',
    'previewCard',
    'successCard',
    'toNodeHandler',
  ])
})

test('what createCountersign takes and answers', () => {
  expectTypeOf(api.createCountersign).parameters.toEqualTypeOf<[options: CountersignOptions]>()
  expectTypeOf(api.createCountersign).returns.toEqualTypeOf<Countersign>()
  expectTypeOf<Countersign['instructions']>().toEqualTypeOf<string>()
  expectTypeOf<Countersign['stdio']>().toEqualTypeOf<() => Promise<void>>()
  expectTypeOf<Countersign['http']>().toExtend<(options?: HttpOptions) => Promise<WebDoor>>()
  expectTypeOf<Countersign['attach']>().toEqualTypeOf<(server: McpServer | ModernMcpServer) => Promise<void>>()
  expectTypeOf<Countersign['fetch']>().toEqualTypeOf<(request: Request) => Promise<Response>>()
  expectTypeOf<Countersign['close']>().toEqualTypeOf<() => Promise<void>>()
})

test('nothing but the tools must be said', () => {
  expectTypeOf<{ tools: readonly Contract[] }>().toExtend<CountersignOptions>()
  expectTypeOf<{
    settings: Partial<EngineSettings>
    tools: []
    store: string
    secret: string
  }>().toExtend<CountersignOptions>()
})

test('the types that go with them', () => {
  expectTypeOf<ReadContract | WriteContract>().toEqualTypeOf<Contract>()
  expectTypeOf<Principal>().toEqualTypeOf<{
    readonly tenant: string
    readonly subject: string
    readonly claims?: Claims
  }>()
  expectTypeOf<Parameters<WriteContract['preview']>[1]['principal']>().toEqualTypeOf<Principal>()
  expectTypeOf<Preview['title']>().toEqualTypeOf<string>()
  expectTypeOf<Success['title']>().toEqualTypeOf<string>()
  expectTypeOf<ReturnType<typeof api.previewCard>>().toEqualTypeOf<Card>()
  expectTypeOf<ReturnType<typeof api.parseMessage>>().toEqualTypeOf<Parsed>()
  expectTypeOf<Extract<Parsed, { ok: true }>['value']>().toEqualTypeOf<Message>()
})

test('its errors say what they are', () => {
  expect(new api.CountersignError('The port is taken.', 'Use another.')).toMatchObject({
    name: 'CountersignError',
    message: 'The port is taken. Use another.',
    next: 'Use another.',
  })
  expect(new api.ContractError('a.b', 'risk', 'is missing', 'Say one.')).toMatchObject({
    name: 'ContractError',
    tool: 'a.b',
    field: 'risk',
  })
  expect(new api.CardError('x').name).toBe('CardError')
})

test('createCountersign refuses a wrong contract at once, before anything is opened', () => {
  expect(() => api.createCountersign({ tools: [{ name: 'nope' } as unknown as Contract] })).toThrow(api.ContractError)
})
