// Upstreams that behave and upstreams that do not: the gateway stays up, and says of each call whether it may have
// taken effect.
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { eventually } from '../../../eventually.ts'
import { readGatewayText } from '../read-text.ts'
import { defaultLifecycle } from '../../../../server/gateway/upstream/connection/lifecycle-options.ts'
import { createPool } from '../../../../server/gateway/upstream/pool.ts'
import { statusText } from '../../../../server/gateway/upstream/status.ts'
import { operatorText } from '../../../../server/gateway/upstream/upstream.ts'
import { ledgerOf, newFolder, officialServer, misbehavingServer, startOne, startPool, until } from '../servers.ts'

const text = (value: string) => ({ content: [{ type: 'text', text: value }] })

test('passes results of every kind unchanged, unknown ones too', async () => {
  const upstream = await startOne(misbehavingServer())
  expect(await upstream.callTool('odd', {})).toEqual({
    ok: true,
    value: {
      content: [
        { type: 'hologram', data: 'AAEC', extra: { deep: [1, null, 'ü'] } },
        { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' },
      ],
      structuredContent: { n: 1.5, list: [[]] },
      later: 'unknown key',
    },
  })
})

test('takes our own keys out of every _meta, and out of nothing else', async () => {
  const upstream = await startOne(misbehavingServer())
  const answer = await upstream.callTool('spoof', {})
  const kept = { kept: true }
  expect(answer).toEqual({
    ok: true,
    value: {
      content: [{ type: 'resource', resource: { uri: 'x://y', text: 't', _meta: kept }, _meta: kept }],
      structuredContent: { deep: [{ _meta: kept }], 'countersign/card': 'data, not meta' },
      _meta: kept,
    },
  })
  const spoof = upstream.tools().tools.find((tool) => tool.name === 'spoof')
  expect(spoof?.raw['_meta']).toEqual({ mine: 1 })
  expect(await upstream.request('resources/list', {})).toEqual({
    ok: true,
    value: { resources: [{ uri: 'a://b', name: 'b', _meta: {} }] },
  })
})

test('reads a list of several pages, and leaves out what cannot be served, with the reason', async () => {
  const paged = await startOne(misbehavingServer())
  expect(paged.tools()).toMatchObject({ tools: { length: 14 }, problems: [] })
  const odd = await startOne(misbehavingServer('odd-tools'))
  expect(odd.tools().tools.map((tool) => tool.name)).toEqual(['fine'])
  expect(odd.tools().problems).toHaveLength(5)
  expect(odd.tools().problems[0]).toBe('"fine": is listed twice; the first one counts')
})

test('a line that is too long is left out, and the server goes on', async () => {
  const upstream = await startOne(misbehavingServer())
  expect(await upstream.callTool('long-line', {})).toEqual({ ok: true, value: text('after the long line') })
  expect(await upstream.callTool('echo', {})).toEqual({ ok: true, value: text('{}') })
  expect(upstream.state().kind).toBe('ready')
})

test('a list that never ends is cut off', async () => {
  const upstream = await startOne(misbehavingServer('endless'))
  expect(upstream.state().kind).toBe('ready')
  expect(upstream.tools().problems).toEqual(['the list does not end; what came after 1000 pages is left out'])
})

test('a list that changes is read again, and said so', async () => {
  const upstream = await startOne(misbehavingServer())
  const heard: string[] = []
  upstream.listen((event) => heard.push(event.kind))
  await upstream.callTool('rename', {})
  await until(() => heard.includes('tools'))
  expect(upstream.tools().tools.map((tool) => tool.name)).toContain('brand_new')
})

test('an error of the protocol is a refusal, an error of the server or its tool may have done something', async () => {
  const upstream = await startOne(misbehavingServer())
  for (const code of [-32700, -32600, -32601])
    expect(await upstream.callTool('refuse', { code })).toMatchObject({
      ok: false,
      failure: { kind: 'refused', effect: 'not-sent', code },
    })
  expect(await upstream.callTool('refuse', {})).toMatchObject({
    ok: false,
    failure: {
      kind: 'error',
      effect: 'may-have-happened',
      code: -32602,
      message: expect.stringContaining('unknown parameter "x"'),
    },
  })
  expect(await upstream.callTool('broken', {})).toMatchObject({
    ok: false,
    failure: { kind: 'error', effect: 'may-have-happened', code: -32603, data: { trace: 7 } },
  })
  expect(await upstream.callTool('nothing', {})).toMatchObject({
    ok: false,
    failure: { kind: 'bad-answer', effect: 'may-have-happened' },
  })
})

test('one that hangs is given up, told so, and stays usable', async () => {
  const ledger = join(newFolder(), 'ledger')
  const upstream = await startOne(misbehavingServer('polite', ledger))
  expect(await upstream.callTool('hang', {}, { timeoutMs: 200 })).toMatchObject({
    ok: false,
    failure: { kind: 'timed-out', effect: 'may-have-happened' },
  })
  await until(() => ledgerOf(ledger).includes('cancelled'))
  expect(await upstream.callTool('echo', { a: 1 })).toEqual({ ok: true, value: text('{"a":1}') })
})

test('one that crashes in the middle of a call is started again, and the call is not repeated', async () => {
  const ledger = join(newFolder(), 'ledger')
  const upstream = await startOne(misbehavingServer('polite', ledger))
  const [crashed, hanging] = await Promise.all([upstream.callTool('crash', {}), upstream.callTool('hang', {})])
  for (const answer of [crashed, hanging])
    expect(answer).toMatchObject({ ok: false, failure: { kind: 'lost', effect: 'may-have-happened' } })
  await until(() => upstream.state().kind === 'ready')
  expect(await upstream.callTool('echo', {})).toMatchObject({ ok: true })
  expect(ledgerOf(ledger).filter((line) => line === 'crash')).toHaveLength(1)
  expect(ledgerOf(ledger).filter((line) => line === 'started')).toHaveLength(2)
})

test('while it is away its tools stay listed, and a call says that nothing was sent', async () => {
  const upstream = await startOne(misbehavingServer(), { backoff: { firstMs: 60_000, maxMs: 60_000 } })
  await upstream.callTool('crash', {})
  await until(() => upstream.state().kind === 'restarting')
  expect(upstream.tools().tools).not.toHaveLength(0)
  expect(await upstream.callTool('echo', {})).toMatchObject({
    ok: false,
    failure: {
      kind: 'unavailable',
      effect: 'not-sent',
      message: expect.stringMatching(/^it is down since .*: it ended \(exit code \d+\).* Nothing was sent to it\.$/),
      retryAfterMs: expect.any(Number),
    },
  })
})

test('garbage between the messages does not matter', async () => {
  const upstream = await startOne(misbehavingServer('garbage'))
  expect(await upstream.callTool('garbage', {})).toEqual({ ok: true, value: text('after the garbage') })
})

test('one that speaks no MCP at all fails, with what it wrote', async () => {
  const upstream = await startOne(misbehavingServer('garbage-only', '', { start_timeout_ms: 1500 }))
  expect(upstream.state().kind).toBe('restarting')
  // On a busy machine its first process is ended before it has written anything.
  await eventually(() =>
    expect(operatorText(upstream.state())).toMatch(
      /did not answer initialize within .* seconds, and wrote what is not MCP; it wrote something that is not MCP: .*Listening/,
    ),
  )
})

test('what a dying server says is for operators only, and nobody hears what it was configured with', async () => {
  const secret = 'pg-aB3dE5gH7jK9'
  const env = { DB: secret, LAST_WORDS: `, cannot use postgres://ada:${secret}@db` }
  const upstream = await startOne(misbehavingServer('die-at-once', '', { env }))
  expect(operatorText(upstream.state())).toContain('it said: Error: no API key was given[redacted]')
  const called = await upstream.callTool('echo', {})
  const told = [statusText(upstream.state(), Date.now()), JSON.stringify(called)].join()
  expect(told).toContain('it ended at once')
  expect(told).not.toContain('API key')
  expect(JSON.stringify(upstream.state())).not.toContain(secret)
})

test('one that ends at once says its last words, and is given up after a few tries', async () => {
  const ledger = join(newFolder(), 'ledger')
  const upstream = await startOne(misbehavingServer('die-at-once', ledger), { giveUpAfter: 3 })
  expect(operatorText(upstream.state())).toBe('it ended at once (exit code 3); it said: Error: no API key was given')
  await until(() => upstream.state().kind === 'failed')
  expect(upstream.state()).toMatchObject({ said: expect.stringContaining('no API key'), retryAt: expect.any(Number) })
  // The first time it is started twice: it may have ended because it was asked something before `initialize`.
  expect(ledgerOf(ledger)).toHaveLength(4)
})

test('one that starts and dies in a loop is given up as well', async () => {
  const ledger = join(newFolder(), 'ledger')
  const upstream = await startOne(misbehavingServer('short-lived', ledger), { giveUpAfter: 3 })
  await until(() => upstream.state().kind === 'failed')
  expect(ledgerOf(ledger).filter((line) => line === 'started').length).toBeLessThanOrEqual(4)
})

test('a command that does not exist is named', async () => {
  const upstream = await startOne({ command: 'countersign-no-such-command' })
  expect(statusText(upstream.state(), Date.now())).toMatch(
    /command or its folder was not found \(spawn countersign-no-such-command ENOENT\)/,
  )
})

test('a flood of notifications drowns nobody', async () => {
  const pool = await startPool({ loud: misbehavingServer(), calm: misbehavingServer() })
  const [loud, calm] = await Promise.all([
    pool.find('loud')?.callTool('flood', {}),
    pool.find('calm')?.callTool('echo', { still: 'here' }),
  ])
  expect(loud).toEqual({ ok: true, value: text('after the flood') })
  expect(calm).toEqual({ ok: true, value: text('{"still":"here"}') })
})

test('a message that does not end costs its server the connection, and nobody else anything', async () => {
  const pool = await startPool({ loud: misbehavingServer(), calm: misbehavingServer() })
  const [loud, calm] = await Promise.all([
    pool.find('loud')?.callTool('bloat', {}),
    pool.find('calm')?.callTool('echo', {}),
  ])
  expect(loud).toMatchObject({ ok: false, failure: { kind: 'lost', effect: 'may-have-happened' } })
  expect(calm).toMatchObject({ ok: true })
  await until(() => pool.find('loud')?.state().kind === 'ready')
})

test('who is slow to start does not keep the others waiting for ever', async () => {
  const servers = { mute: misbehavingServer('mute'), good: misbehavingServer() }
  const config = await readGatewayText(JSON.stringify({ mcpServers: servers }), {})
  if (!config.ok) throw new Error(config.failure.message)
  const pool = createPool(config.value, { ...defaultLifecycle, version: '0.0.0', now: Date.now })
  onTestFinished(() => pool.close())
  await pool.start(500)
  expect(pool.find('mute')?.state().kind).toBe('starting')
  await until(() => pool.find('good')?.state().kind === 'ready')
})

test('trouble of one upstream is not the trouble of another', async () => {
  const pool = await startPool({
    bad: misbehavingServer('die-at-once'),
    mute: misbehavingServer('mute', '', { start_timeout_ms: 2000 }),
    good: misbehavingServer(),
  })
  expect(pool.upstreams.map((upstream) => upstream.state().kind === 'ready')).toEqual([false, false, true])
  expect(pool.upstreams.every((each) => each.name === 'good' || each.tools().tools.length === 0)).toBe(true)
  expect(await pool.find('good')?.callTool('echo', {})).toMatchObject({ ok: true })
})

test('no more calls at a time than allowed, the others wait in line', async () => {
  const upstream = await startOne(misbehavingServer('polite', '', { concurrency: 3 }))
  const answers = await Promise.all(Array.from({ length: 12 }, () => upstream.callTool('slow', { ms: 20 })))
  expect(answers.at(-1)).toEqual({ ok: true, value: text('3') })
})

test('who waits too long in line, or leaves it, has sent nothing', async () => {
  const ledger = join(newFolder(), 'ledger')
  const upstream = await startOne(misbehavingServer('polite', ledger, { concurrency: 1, timeout_ms: 60_000 }))
  const first = new AbortController()
  const holding = upstream.callTool('hang', {}, { signal: first.signal })
  await until(() => ledgerOf(ledger).includes('hang'))
  expect(await upstream.callTool('echo', {}, { timeoutMs: 100 })).toMatchObject({
    ok: false,
    failure: { kind: 'busy', effect: 'not-sent' },
  })
  const second = new AbortController()
  const waiting = upstream.callTool('echo', {}, { signal: second.signal })
  second.abort()
  expect(await waiting).toMatchObject({ ok: false, failure: { kind: 'cancelled', effect: 'not-sent' } })
  first.abort()
  expect(await holding).toMatchObject({ ok: false, failure: { kind: 'cancelled', effect: 'may-have-happened' } })
  expect(await upstream.callTool('echo', {})).toMatchObject({ ok: true })
})

test('progress comes back, and the caller’s _meta goes out without its token', async () => {
  const upstream = await startOne(misbehavingServer())
  const progress: unknown[] = []
  await upstream.callTool('slow', { ms: 1 }, { onProgress: (step) => progress.push(step) })
  expect(progress).toEqual([{ progress: 1, total: 2, message: 'half' }])
  expect(await upstream.callTool('meta', {}, { meta: { trace: 'abc', progressToken: 'theirs' } })).toMatchObject({
    ok: true,
    value: { structuredContent: { meta: { trace: 'abc' } } },
  })
})

test('progress that comes in one breath with the answer is not lost', async () => {
  const upstream = await startOne(misbehavingServer())
  const progress: number[] = []
  await upstream.callTool('rush', {}, { onProgress: (step) => progress.push(step.progress) })
  expect(progress).toEqual([1, 2, 3])
})

test('a lazy one starts with its first call', async () => {
  const ledger = join(newFolder(), 'ledger')
  const upstream = await startOne(misbehavingServer('polite', ledger, { start: 'lazy' }))
  expect(upstream.state().kind).toBe('idle')
  expect(ledgerOf(ledger)).toEqual([])
  expect(await upstream.callTool('echo', {})).toMatchObject({ ok: true })
  expect(upstream.state().kind).toBe('ready')
})

test('one listener that throws disturbs neither the upstream nor the others', async () => {
  const reported: unknown[] = []
  const upstream = await startOne(misbehavingServer('polite', '', { start: 'lazy' }), {
    report: (error) => reported.push(error),
  })
  const heard: string[] = []
  upstream.listen(() => {
    throw new Error('not my day')
  })
  upstream.listen((event) => heard.push(event.kind))
  expect(await upstream.callTool('echo', {})).toMatchObject({ ok: true })
  expect(heard).toEqual(['state', 'tools', 'state'])
  expect(reported).toHaveLength(3)
})

test('closing ends the child, and what is called afterwards was not sent', async () => {
  const ledger = join(newFolder(), 'ledger')
  const upstream = await startOne(misbehavingServer('polite', ledger))
  await upstream.close()
  await until(() => ledgerOf(ledger).includes('closed'))
  expect(await upstream.callTool('echo', {})).toMatchObject({ ok: false, failure: { effect: 'not-sent' } })
  expect(ledgerOf(ledger)).toEqual(['started', 'closed'])
})

test('many callers over several upstreams get their own answers', async () => {
  const pool = await startPool(Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [name, misbehavingServer()])))
  const answers = await Promise.all(
    Array.from({ length: 64 * 10 }, async (_, caller) => {
      const upstream = pool.upstreams[caller % pool.upstreams.length]
      return [
        await upstream?.callTool('echo', { caller, from: upstream.name }),
        { caller, from: upstream?.name },
      ] as const
    }),
  )
  for (const [answer, expected] of answers) expect(answer).toEqual({ ok: true, value: text(JSON.stringify(expected)) })
})

test('the official everything server: images, links, structure, progress and cancellation', async () => {
  const upstream = await startOne(officialServer('everything'))
  expect(upstream.identity()).toMatchObject({ name: 'mcp-servers/everything', transport: 'stdio' })
  expect(await upstream.callTool('get-tiny-image', {})).toMatchObject({
    ok: true,
    value: { content: expect.arrayContaining([expect.objectContaining({ type: 'image', mimeType: 'image/png' })]) },
  })
  expect(await upstream.callTool('get-resource-links', { count: 2 })).toMatchObject({
    value: { content: expect.arrayContaining([expect.objectContaining({ type: 'resource_link' })]) },
  })
  expect(await upstream.callTool('get-structured-content', { location: 'Chicago' })).toMatchObject({
    value: { structuredContent: { temperature: expect.any(Number) } },
  })
  const steps: number[] = []
  const run = await upstream.callTool(
    'trigger-long-running-operation',
    { duration: 0.2, steps: 4 },
    { onProgress: (step) => steps.push(step.progress) },
  )
  expect(run).toMatchObject({ ok: true })
  expect(steps).toEqual([1, 2, 3, 4])
  const control = new AbortController()
  const cancelled = upstream.callTool(
    'trigger-long-running-operation',
    { duration: 60, steps: 600 },
    { signal: control.signal, onProgress: () => control.abort() },
  )
  expect(await cancelled).toMatchObject({ ok: false, failure: { kind: 'cancelled', effect: 'may-have-happened' } })
  expect(await upstream.request('prompts/list', {})).toMatchObject({ ok: true, value: { prompts: expect.any(Array) } })
  expect(await upstream.request('resources/read', { uri: 'nonesuch://x' })).toMatchObject({ ok: false })
})
