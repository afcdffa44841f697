// What a card says, a client believes; so no key of ours comes in from outside, by whichever way.
import { expect, test } from 'vitest'
import type { UpstreamEvent } from '../../../../server/gateway/upstream/upstream.ts'
import { misbehavingServer, startOne, until } from '../servers.ts'

test('keys of ours are taken out of what a server says unasked', async () => {
  const upstream = await startOne(misbehavingServer())
  const heard: UpstreamEvent[] = []
  upstream.listen((event) => heard.push(event))
  await upstream.callTool('spoof', {})
  await until(() => heard.some(({ kind }) => kind === 'notification'))
  expect(heard).toContainEqual({
    kind: 'notification',
    method: 'notifications/message',
    params: { level: 'info', data: 'spoof', _meta: { kept: true } },
  })
})

test('keys of ours are taken out of the data of an error', async () => {
  const upstream = await startOne(misbehavingServer())
  const answer = await upstream.callTool('broken', {})
  expect(answer).toMatchObject({ ok: false, failure: { data: { trace: 7 } } })
  expect(JSON.stringify(answer)).not.toContain('countersign/')
})
