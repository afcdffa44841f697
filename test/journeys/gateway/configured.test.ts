// An operator gives a server its password. When the server fails it says so with that password in its words: in errors of
// tools and of the protocol, in its log and on its standard error. No agent and no record gets it.
import { LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { expect, test } from 'vitest'
import { type Reply } from '../agent.ts'
import { freshDatabase } from '../at-end.ts'
import { gatewayFile, officialServer, misbehavingServer } from './reach.ts'
import { agentHere } from '../in-process.ts'
import { recordsIn } from '../records-in.ts'
import { readsOnly } from '../../server/gateway/rating/reads-only.ts'

test('a configured password is hidden in every error, in the log that is passed on, and in the record', async () => {
  // A word, which no look gives away: only that it was configured.
  const password = 'mondschein'
  const env = { DB_PASSWORD: password, LAST_WORDS: ': no entry for {DB_PASSWORD}' }
  const db = freshDatabase()
  const tools = ['fail', 'broken', 'crash']
  // The second one has a log whose level a client can set.
  const logging = officialServer('everything')
  const file = gatewayFile({ logging, rude: misbehavingServer('polite', '', { env, ...readsOnly(...tools) }) })
  const agent = await agentHere(['gateway', '--config', file, '--db', db])
  const heard: unknown[] = []
  agent.client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void heard.push(params))
  await agent.client.setLoggingLevel('debug')

  const replies: Reply[] = []
  for (const tool of tools)
    replies.push(
      await agent.call('call_tool_read', {
        name: `rude:${tool}`,
        args_json: '{}',
        intent: { operation_type: 'read' },
      }),
    )
  const [failed, broken] = replies
  expect(failed?.text).toContain('disk is full')
  expect(broken?.text).toContain('internal error')
  for (const reply of [failed, broken]) expect(JSON.stringify(reply?.raw)).toContain('[redacted]')
  await expect.poll(() => JSON.stringify(heard)).toContain('[redacted]')

  const calls = await recordsIn(db, { limit: 20 })
  expect(calls.length).toBeGreaterThanOrEqual(tools.length)
  expect(JSON.stringify([replies.map(({ raw }) => raw), heard, calls])).not.toContain(password)
})

test('a server that prints its environment prints no configured secret, nor does one that dies with its arguments', async () => {
  const [key, argument, pin] = ['harbour-5-lights', 'lantern-7-stones', 'short9']
  const db = freshDatabase()
  const env = { LAST_WORDS: ': refused {argument}' }
  const rude = misbehavingServer('polite', `${db}.ledger`, { env, ...readsOnly('fail', 'crash') })
  const file = gatewayFile({
    printing: officialServer('everything', [], {
      env: { SERVICE_API_KEY: key, DOOR_PIN: pin },
      ...readsOnly('get-env'),
    }),
    rude: { ...rude, args: [...(rude['args'] as readonly string[]), '--api-key', argument] },
  })
  const agent = await agentHere(['gateway', '--config', file, '--db', db])
  const call = (name: string) =>
    agent.call('call_tool_read', { name, args_json: '{}', intent: { operation_type: 'read' } })
  const printed = await call('printing:get-env')
  expect(JSON.stringify(printed.raw)).toContain('SERVICE_API_KEY')
  const replies = [printed, await call('rude:fail'), await call('rude:crash')]
  expect(replies[1]?.text).toContain('refused [redacted]')

  const calls = await recordsIn(db, { limit: 20 })
  const all = JSON.stringify([replies.map(({ raw }) => raw), calls])
  for (const secret of [key, argument, pin]) expect(all).not.toContain(secret)
})
