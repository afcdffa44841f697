// Fifty secrets travel the engine as arguments, results, errors, rationales, events and names. Afterwards nobody finds one:
// not in the database or its log of writes, not in an export, not in what the server said of itself, not in the API.
import { readFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { call } from '../../../../server/rail/call.ts'
import type { CallRequest } from '../../../../server/rail/engine.ts'
import { compose } from '../../../../server/compose/compose.ts'
import { createActivityApi } from '../../../../server/http/activity/activity-api.ts'
import { requireOperator } from '../../../../server/http/operators/operator.ts'
import { defineTool, type Contract } from '../../../../server/index.ts'
import { place } from '../../store/store-fixture.ts'
import { canaries } from './canaries.ts'

const input = z.strictObject({ value: z.unknown(), fail: z.enum(['no', 'declared', 'crash']).default('no') })

const echo = defineTool({
  name: 'echo.value',
  title: 'Echo',
  description: 'Answers what it was given.',
  operation: 'read',
  risk: 'low',
  input,
  output: z.object({ value: z.unknown() }),
  failures: { refused: { effect: 'none', guidance: 'Try again.' } },
  run: async ({ value, fail }, ctx) => {
    await ctx.audit('echo.said', { value })
    if (fail === 'declared') return ctx.fail('refused', `I do not take ${textOf(value)}.`)
    if (fail === 'crash') throw new Error(`Cannot handle ${textOf(value)}.`)
    return { value }
  },
}) as Contract

const write = defineTool({
  name: 'echo.keep',
  title: 'Keep',
  noun: 'the value',
  description: 'Keeps what it was given.',
  operation: 'write',
  risk: 'medium',
  input: z.strictObject({ value: z.unknown() }),
  output: z.object({ value: z.unknown() }),
  sideEffects: [{ what: 'It is kept.', onRepeat: 'It is kept again.' }],
  idempotency: 'plan',
  failures: { full: { effect: 'none', guidance: 'Make room.' } },
  preview: ({ value }) => ({ title: 'Keep', summary: textOf(value), confirmLabel: 'Keep' }),
  run: ({ value }) => ({ value }),
}) as Contract

const token = 'the-token-of-an-operator-of-this-test'

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

test('none of fifty secrets is found in database, write-ahead log, export, API or the log of the server', async () => {
  const file = join(place(), 'log.db')
  const said: string[] = []
  const stderr = vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0)
  const composed = await compose({ file, tools: [echo, write] })
  if (!composed.ok) throw new Error(composed.failure.message)
  const { parts, store } = composed.value
  const request = (tool: string, args: unknown): CallRequest => ({
    tool,
    args,
    caller: {
      principal: { tenant: 'default', subject: 'ada' },
      permissions: 'all',
      client: 'Test chat',
      cards: 'yes',
      trusted: false,
    },
    signal: new AbortController().signal,
  })
  try {
    for (const { value } of canaries) {
      const rationale = `The customer said: ${textOf(value)}`.slice(0, 480)
      for (const fail of ['no', 'declared', 'crash'])
        await call(parts.engine, request('echo_value', { value, fail, rationale }))
      const preview = await call(parts.engine, request('echo_keep', { value, rationale }))
      const again = { value, rationale, ticket: preview.planId, preview: false }
      expect((await call(parts.engine, request('echo_keep', again))).outcome).toBe('applied')
      await call(parts.engine, request('echo_value', { unknown: value, rationale }))
      await call(parts.engine, request(textOf(value), {}))
    }
    const api = createActivityApi({
      ...store,
      guard: requireOperator({ adminToken: token }),
    })
    const headers = { authorization: `Bearer ${token}` }
    const answers: Record<string, string> = {}
    for (const path of ['/?limit=500', '/export?format=json', '/export?format=csv'])
      answers[path] = await (await api.request(path, { headers })).text()
    const page = await store.activity.page({ limit: 1 })
    answers['/:id/story'] = await (await api.request(`/${page.calls[0]?.id}/story`, { headers })).text()
    const files = [file, `${file}-wal`, `${file}-shm`].filter(existsSync)
    const places = {
      ...answers,
      ...Object.fromEntries(files.map((path) => [path.slice(file.length - 6), readFileSync(path, 'latin1')])),
      'the log of the server': said.join(''),
    }
    expect(Object.keys(places).length).toBeGreaterThanOrEqual(7)
    expect(places['the log of the server']).toContain('Cannot handle')
    const found = Object.entries(places).flatMap(([where, text]) =>
      canaries
        .filter(({ secret }) => text.includes(secret) || text.includes(JSON.stringify(secret).slice(1, -1)))
        .map(({ what }) => `${what}: ${where}`),
    )
    expect(found).toStrictEqual([])
    expect(await store.activity.verify()).toMatchObject([{ problem: undefined }])
  } finally {
    stderr.mockRestore()
    await composed.value.close()
  }
})
