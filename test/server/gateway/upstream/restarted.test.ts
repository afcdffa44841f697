// A remote server that is started anew at the same address, in the same version of the protocol: it has forgotten the session.
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { ServerLogin } from '../../../../server/gateway/upstream/login/server-login.ts'
import { startOne, until } from '../servers.ts'
import { begin, done, inPlainText, json, listOf, notFound, ofSdk, restartable, stream } from './restartable.ts'

test.each([
  ['in the words of the SDK', ofSdk],
  ['in plain text', inPlainText],
  ['with 404', notFound],
])('a server that refuses %s what its forgotten session asks is connected to anew', async (_, refusal) => {
  const { url, asked, restart } = await restartable(refusal)
  const upstream = await startOne({ url })
  restart()
  expect(await upstream.relist()).toEqual({ ok: true, value: undefined })
  expect(upstream.tools().tools.map(({ name }) => name)).toEqual(['tool_of_s2'])
  expect(await upstream.callTool('tool_of_s2', {})).toMatchObject({ ok: true })
  expect(asked.filter((one) => one.startsWith('tools/call'))).toEqual(['tools/call s2'])
})

test('a call that comes first after the start is sent over the new session', async () => {
  const { url, asked, restart } = await restartable(ofSdk)
  const upstream = await startOne({ url })
  restart()
  expect(await upstream.callTool('tool_of_s2', {})).toMatchObject({ ok: true })
  expect(asked.filter((one) => one.startsWith('tools/call'))).toEqual(['tools/call s2'])
})

test('a list that was asked of the old session and comes late does not replace that of the new one', async () => {
  const { url, restart, otherwise } = await restartable(notFound)
  const upstream = await startOne({ url })
  let answerLate: (() => void) | undefined
  otherwise((method, id, session, response) => {
    if (method === 'tools/call') {
      begin(response)
      stream(response, { method: 'notifications/tools/list_changed' })
      stream(response, { id, result: done })
      response.end()
      return true
    }
    if (method !== 'tools/list' || session !== 's1' || answerLate !== undefined) return false
    answerLate = () => json(response, { id, result: listOf('s1_late') })
    return true
  })
  await upstream.callTool('tool_of_s1', {})
  await until(() => answerLate !== undefined)
  restart()
  expect(await upstream.relist()).toMatchObject({ ok: true })
  answerLate?.()
  // Nothing tells that it has been read and left.
  await setTimeout(200)
  expect(upstream.tools().tools.map(({ name }) => name)).toEqual(['tool_of_s2'])
})

test.each([
  ['has not been found out', false],
  ['has been found out', true],
])(
  'a call that runs is answered though a stream breaks where the session is forgotten, which %s',
  async (_, isFound) => {
    const { url, asked, restart, otherwise, hasStream, breakStream } = await restartable(notFound)
    const upstream = await startOne({ url })
    await until(hasStream)
    let answer: (() => void) | undefined
    otherwise((method, id, _session, response) => {
      if (method !== 'tools/call') return false
      answer = () => json(response, { id, result: done })
      return true
    })
    const call = upstream.callTool('tool_of_s1', {})
    await until(() => answer !== undefined)
    const pings = asked.filter((one) => one.startsWith('ping')).length
    restart()
    if (isFound) expect(await upstream.relist()).toMatchObject({ ok: true })
    breakStream()
    await until(() => asked.filter((one) => one.startsWith('ping')).length > pings)
    await until(() => upstream.tools().tools[0]?.name === 'tool_of_s2')
    // Nothing tells that the answer to the ping has been read.
    await setTimeout(200)
    answer?.()
    expect(await call).toMatchObject({ ok: true })
  },
)

test('a list that is refused once is asked for again over the same session', async () => {
  const { url, asked, otherwise } = await restartable(inPlainText)
  const upstream = await startOne({ url })
  let refusals = 1
  otherwise((method, _id, _session, response) => {
    if (method !== 'tools/list' || refusals-- === 0) return false
    response.writeHead(inPlainText.status).end(inPlainText.body)
    return true
  })
  expect(await upstream.relist()).toMatchObject({ ok: true })
  expect(await upstream.callTool('tool_of_s1', {})).toMatchObject({ ok: true })
  expect(asked.filter((one) => one.startsWith('initialize') || one.startsWith('DELETE'))).toEqual(['initialize'])
})

test('a call whose token is renewed while its connection is replaced goes over the new one', async () => {
  const { url, asked, restart } = await restartable(inPlainText)
  const renewal = Promise.withResolvers<void>()
  let asks = 0
  const login: Partial<ServerLogin> = {
    secrets: () => [],
    taken: () => undefined,
    // Asked for the ping before the call, and then for the call.
    token: () => (isCalling && ++asks === 2 ? renewal.promise.then(() => undefined) : Promise.resolve(undefined)),
  }
  let isCalling = false
  const upstream = await startOne({ url }, { login: () => login as ServerLogin })
  isCalling = true
  const call = upstream.callTool('tool_of_s2', {})
  await until(() => asks === 2)
  restart()
  expect(await upstream.relist()).toMatchObject({ ok: true })
  renewal.resolve()
  expect(await call).toEqual({ ok: true, value: done })
  expect(asked.filter((one) => one.startsWith('tools/call'))).toEqual(['tools/call s2'])
})

test('no session stays at the server: neither that of a start that came to nothing nor the last one', async () => {
  const { url, asked, otherwise } = await restartable(notFound)
  let refusals = 1
  otherwise((method, id, _session, response) => {
    if (method !== 'tools/list' || refusals-- <= 0) return false
    json(response, { id, error: { code: -32603, message: 'not yet' } })
    return true
  })
  const upstream = await startOne({ url })
  await until(() => upstream.state().kind === 'ready')
  await upstream.close()
  expect(asked.filter((one) => one.startsWith('DELETE'))).toEqual(['DELETE s1', 'DELETE s2'])
})

test('a server that is started anew twice in a row is connected to anew each time', async () => {
  const { url, restart } = await restartable(inPlainText)
  const upstream = await startOne({ url }, { now: () => 0 })
  for (const tool of ['tool_of_s2', 'tool_of_s3']) {
    restart()
    expect(await upstream.relist()).toMatchObject({ ok: true })
    expect(upstream.tools().tools.map(({ name }) => name)).toEqual([tool])
  }
})

test('what may be repeated is sent again also where the server was started anew twice while it waited for its token', async () => {
  const { url, restart, otherwise } = await restartable(notFound)
  const renewal = Promise.withResolvers<undefined>()
  let isWaiting: boolean | undefined
  const login: Partial<ServerLogin> = {
    secrets: () => [],
    taken: () => undefined,
    token: async () => {
      if (isWaiting !== false) return undefined
      isWaiting = true
      return renewal.promise
    },
  }
  const upstream = await startOne({ url }, { login: () => login as ServerLogin })
  otherwise((method, id, session, response) => {
    if (method !== 'resources/list' || session !== 's3') return false
    json(response, { id, result: { resources: [] } })
    return true
  })
  isWaiting = false
  const listed = upstream.request('resources/list', {})
  await until(() => isWaiting === true)
  restart()
  expect(await upstream.relist()).toMatchObject({ ok: true })
  restart()
  renewal.resolve(undefined)
  expect(await listed).toEqual({ ok: true, value: { resources: [] } })
})
