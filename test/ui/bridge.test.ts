// The frame's side of the wire, spoken to as a host would: messages with a source, well-formed and not.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { mergeContext } from '../../ui/bridge/context.ts'
import type { Host, ToolResult } from '../../ui/bridge/host.ts'
import { createPostMessageHost } from '../../ui/bridge/post-message.ts'

type Sent = { id?: number; method?: string; params?: Record<string, unknown>; result?: unknown; error?: unknown }

const sent: Sent[] = []
const parent = { postMessage: (message: unknown) => void sent.push(message as Sent) }
let frame: EventTarget
let host: Host & { close(): void }

/** A message as the browser delivers it. */
const deliver = (data: unknown, source: unknown = parent): void => {
  const event = new Event('message')
  Object.assign(event, { data, source })
  frame.dispatchEvent(event)
}

const last = (): Sent => sent.at(-1) as Sent
const answer = (result: unknown): void => deliver({ jsonrpc: '2.0', id: last().id, result })
const notify = (method: string, params?: unknown): void => deliver({ jsonrpc: '2.0', method, params })

const welcome = (more: Record<string, unknown> = {}) => ({
  protocolVersion: '2026-01-26',
  hostInfo: { name: 'host', version: '1' },
  hostCapabilities: {},
  hostContext: {},
  ...more,
})

beforeEach(() => {
  sent.length = 0
  frame = new EventTarget()
  host = createPostMessageHost(
    Object.assign(frame, { parent }) as unknown as Parameters<typeof createPostMessageHost>[0],
    { name: 'card', version: '1' },
    { message: 100, tool: 100, link: 100 },
  )
})

afterEach(() => {
  host.close()
  vi.useRealTimers()
})

describe('greeting', () => {
  test('says who it is in the words of the protocol, and that it is initialized once the host answered', async () => {
    const greeting = host.initialize()
    expect(last()).toEqual({
      jsonrpc: '2.0',
      id: 1,
      method: 'ui/initialize',
      params: {
        appInfo: { name: 'card', version: '1' },
        appCapabilities: { availableDisplayModes: ['inline'] },
        protocolVersion: '2026-01-26',
      },
    })
    answer(welcome({ hostCapabilities: { serverTools: {} }, hostContext: { theme: 'dark', locale: 'de-DE' } }))
    expect(await greeting).toEqual({ serverTools: true, context: { theme: 'dark', locale: 'de-DE', variables: {} } })
    expect(last()).toEqual({ jsonrpc: '2.0', method: 'ui/notifications/initialized', params: {} })
  })

  test('goes without server tools where the host names none, or refuses the greeting', async () => {
    const first = host.initialize()
    answer(welcome())
    expect((await first).serverTools).toBe(false)
    const second = host.initialize()
    deliver({ jsonrpc: '2.0', id: last().id, error: { code: -32603, message: 'no' } })
    expect((await second).serverTools).toBe(false)
  })
})

describe('what it hears', () => {
  test('keeps what arrives before anyone listens, in order', () => {
    notify('ui/notifications/tool-result', { content: [], structuredContent: { status: 'previewed' } })
    notify('ui/notifications/tool-cancelled', { reason: 'Stopped.' })
    const heard: unknown[] = []
    host.listen({
      onToolResult: (result) => heard.push(result.structuredContent),
      onToolCancelled: (reason) => heard.push(reason),
    })
    expect(heard).toEqual([{ status: 'previewed' }, 'Stopped.'])
  })

  test('believes no window but its parent', () => {
    const results: ToolResult[] = []
    host.listen({ onToolResult: (result) => results.push(result) })
    const message = { jsonrpc: '2.0', method: 'ui/notifications/tool-result', params: { content: [] } }
    deliver(message, window)
    deliver(message, null)
    deliver(message, {})
    expect(results).toHaveLength(0)
    deliver(message)
    expect(results).toHaveLength(1)
  })

  test.each([
    undefined,
    null,
    0,
    'ui/notifications/tool-result',
    [],
    {},
    { jsonrpc: '1.0', method: 'ui/notifications/tool-result', params: {} },
    { jsonrpc: '2.0' },
    { jsonrpc: '2.0', method: 7, params: {} },
    { jsonrpc: '2.0', id: 1 },
    { jsonrpc: '2.0', id: 99, result: {} },
    { jsonrpc: '2.0', id: { a: 1 }, method: 'ping' },
    { jsonrpc: '2.0', method: 'ui/notifications/nothing-we-know' },
    { jsonrpc: '2.0', method: '__proto__' },
  ])('ignores the malformed message %j', (message) => {
    const heard = vi.fn()
    host.listen({ onToolResult: heard, onToolCancelled: heard, onContextChanged: heard })
    expect(() => deliver(message)).not.toThrow()
    expect(heard).not.toHaveBeenCalled()
    expect(sent).toHaveLength(0)
  })

  test('reads a result whose members have the wrong types as an empty one', () => {
    const results: ToolResult[] = []
    host.listen({ onToolResult: (result) => results.push(result) })
    notify('ui/notifications/tool-result', { content: 'text', structuredContent: [], _meta: 1, isError: 'yes' })
    notify('ui/notifications/tool-result')
    const empty = { content: [], structuredContent: undefined, meta: {}, isError: false }
    expect(results).toEqual([empty, empty])
  })

  test('answers ping and teardown, and tells others that it does not know them', () => {
    deliver({ jsonrpc: '2.0', id: 'a', method: 'ping' })
    expect(last()).toEqual({ jsonrpc: '2.0', id: 'a', result: {} })
    deliver({ jsonrpc: '2.0', id: 0, method: 'ui/resource-teardown', params: {} })
    expect(last()).toEqual({ jsonrpc: '2.0', id: 0, result: {} })
    deliver({ jsonrpc: '2.0', id: 2, method: 'ui/notifications/tool-result', params: { content: [] } })
    expect(last()).toMatchObject({ id: 2, error: { code: -32601 } })
  })

  test('merges partial contexts and leaves out what makes no sense', async () => {
    const contexts: unknown[] = []
    host.listen({ onContextChanged: (context) => contexts.push(context) })
    notify('ui/notifications/host-context-changed', { theme: 'dark', timeZone: 'Europe/Berlin' })
    notify('ui/notifications/host-context-changed', { theme: 'purple', locale: 'not a locale!', timeZone: 'Mars/Base' })
    notify('ui/notifications/host-context-changed', { styles: { variables: { '--color-text-primary': '#111' } } })
    expect(contexts.at(-1)).toEqual({
      theme: 'dark',
      timeZone: 'Europe/Berlin',
      variables: { '--color-text-primary': '#111' },
    })
  })

  test('who listens late hears the newest context, with what the host said in its greeting', async () => {
    const greeted = host.initialize()
    notify('ui/notifications/host-context-changed', { theme: 'dark' })
    answer({ hostContext: { locale: 'de-DE' } })
    await greeted
    const contexts: unknown[] = []
    host.listen({ onContextChanged: (context) => contexts.push(context) })
    expect(contexts.at(-1)).toMatchObject({ theme: 'dark', locale: 'de-DE' })
  })

  test('takes over the properties that hosts have a say in, none of the view’s own, and none that would load something', () => {
    const variables = {
      '--color-a': 'red',
      '--font-a': 'x',
      '--border-a': '1px',
      '--shadow-a': 'none',
      '--go': '#fff',
      '--go-ink': '#fefefe',
      '--stop': '#fff',
      color: 'red',
      '--color-b': 'url(https://x)',
      '--color-escaped': String.raw`\75rl(https://x)`,
      '--color-c': 3,
      '--color d': 'x',
      '--color-e': '',
    }
    expect(mergeContext({ variables: {} }, { styles: { variables } }).variables).toEqual({
      '--color-a': 'red',
      '--font-a': 'x',
      '--border-a': '1px',
      '--shadow-a': 'none',
    })
  })

  test('stops listening when told', () => {
    const heard = vi.fn()
    const unlisten = host.listen({ onToolCancelled: heard })
    notify('ui/notifications/tool-cancelled', { reason: 'stopped' })
    unlisten()
    notify('ui/notifications/tool-cancelled', { reason: 'stopped' })
    expect(heard.mock.calls).toEqual([['stopped']])
  })
})

describe('what it says', () => {
  test('sends a message as an array with one text', async () => {
    const answered = host.sendMessage('Apply: call x()')
    expect(last()).toMatchObject({
      method: 'ui/message',
      params: { role: 'user', content: [{ type: 'text', text: 'Apply: call x()' }] },
    })
    answer({})
    expect(await answered).toEqual({ kind: 'accepted' })
  })

  test.each([
    [{ isError: true }, undefined],
    [{ isError: true, content: [{ type: 'text', text: 'box not empty' }] }, 'box not empty'],
    [{ isError: true, message: 'busy' }, 'busy'],
  ])('hears the refusal %j', async (result, reason) => {
    const answered = host.sendMessage('x')
    answer(result)
    expect(await answered).toEqual({ kind: 'refused', reason })
  })

  test('takes a protocol error for a refusal', async () => {
    const answered = host.sendMessage('x')
    deliver({ jsonrpc: '2.0', id: last().id, error: { code: -32000, message: 'denied' } })
    expect(await answered).toEqual({ kind: 'refused', reason: 'denied' })
  })

  test('stops waiting for a host that never answers, and ignores its late answer', async () => {
    vi.useFakeTimers()
    const answered = host.sendMessage('x')
    const { id } = last()
    await vi.advanceTimersByTimeAsync(100)
    expect(await answered).toEqual({ kind: 'timeout' })
    expect(() => deliver({ jsonrpc: '2.0', id, result: { isError: true } })).not.toThrow()
  })

  test('calls an app-only tool with the ticket and hands back what came', async () => {
    const called = host.callTool('countersign_plan_status', { ticket: 'cs1_x' })
    expect(last()).toMatchObject({
      method: 'tools/call',
      params: { name: 'countersign_plan_status', arguments: { ticket: 'cs1_x' } },
    })
    answer({ content: [], structuredContent: { state: 'open' } })
    expect(await called).toMatchObject({ kind: 'answered', result: { structuredContent: { state: 'open' } } })
  })

  test('tells a refused tool call from one that was never answered', async () => {
    vi.useFakeTimers()
    const refused = host.callTool('countersign_plan_status', { ticket: 'x' })
    deliver({ jsonrpc: '2.0', id: last().id, error: { code: -32601, message: 'no such tool' } })
    expect(await refused).toEqual({ kind: 'refused', reason: 'no such tool' })
    const silent = host.callTool('countersign_plan_status', { ticket: 'x' })
    await vi.advanceTimersByTimeAsync(100)
    expect(await silent).toEqual({ kind: 'timeout' })
  })

  test('knows whether a link was opened', async () => {
    const opened = host.openLink('https://a.example')
    expect(last()).toMatchObject({ method: 'ui/open-link', params: { url: 'https://a.example' } })
    answer({})
    expect(await opened).toBe(true)
    const denied = host.openLink('https://a.example')
    answer({ isError: true })
    expect(await denied).toBe(false)
  })

  test('tells its height', () => {
    host.sizeChanged(312)
    expect(last()).toEqual({ jsonrpc: '2.0', method: 'ui/notifications/size-changed', params: { height: 312 } })
  })
})
