// What waits for an answer of its client is there before it can ask.
import { expect, test } from 'vitest'
import { createHeldCalls, type Leg } from '../../../server/mcp/modern/held-calls.ts'
import { callClient } from '../../../server/model/call-client.ts'
import { localPrincipal } from '../../../server/mcp/local-principal.ts'

const leg: Leg = {
  method: 'tools/call',
  params: { name: 'notes' },
  principal: localPrincipal(),
  capabilities: { elicitation: {} },
  progressToken: 'token',
  inputResponses: undefined,
  requestState: undefined,
  extra: { signal: new AbortController().signal },
}

test('a call may ask its client, and tell it of progress, before it has waited for anything', async () => {
  const calls = createHeldCalls()
  const told: unknown[] = []
  const first = await calls.answer(
    { ...leg, extra: { ...leg.extra, sendNotification: async (notification) => void told.push(notification) } },
    async (extra) => {
      void extra.sendNotification?.({
        method: 'notifications/progress',
        params: { progress: 1, progressToken: 'other' },
      })
      return { said: await callClient()?.request('elicitation/create', { message: 'Which?' }, extra.signal) }
    },
  )
  expect(first).toMatchObject({ resultType: 'input_required' })
  expect(told).toMatchObject([{ params: { progress: 1, progressToken: 'token' } }])
  const { inputRequests, requestState } = first as { inputRequests: object; requestState: string }
  const [key = ''] = Object.keys(inputRequests)
  const again = { ...leg, requestState, inputResponses: { [key]: { action: 'decline' } } }
  expect(await calls.answer(again, () => Promise.reject(new Error('It was begun before.')))).toEqual({
    said: { action: 'decline' },
  })
})
