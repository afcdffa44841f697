// Fifty secrets travel the engine as arguments, results, errors, rationales, events and names. Afterwards nobody finds one:
// not in the database or its log of writes, not in an export, not in what the server said of itself, not in the API.
import { readFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { call } from '../../../../server/rail/call.ts'
import { createActivityApi } from '../../../../server/http/activity/activity-api.ts'
import { requireOperator } from '../../../../server/http/operators/operator.ts'
import { place } from '../../store/store-fixture.ts'
import { requestOf } from '../../../kit/calls.ts'
import { composed } from '../../../kit/composed.ts'
import { readTool, writeTool } from '../../../kit/tools.ts'
import { canaries } from './canaries.ts'

const input = z.strictObject({ value: z.unknown(), fail: z.enum(['no', 'declared', 'crash']).default('no') })

const echo = readTool({
  name: 'echo.value',
  input,
  output: z.object({ value: z.unknown() }),
  failures: { refused: { effect: 'none', guidance: 'Try again.' } },
  run: async ({ value, fail }, ctx) => {
    await ctx.audit('echo.said', { value })
    if (fail === 'declared') return ctx.fail('refused', `I do not take ${textOf(value)}.`)
    if (fail === 'crash') throw new Error(`Cannot handle ${textOf(value)}.`)
    return { value }
  },
})

const write = writeTool({
  name: 'echo.keep',
  input: z.strictObject({ value: z.unknown() }),
  output: z.object({ value: z.unknown() }),
  preview: ({ value }) => ({ title: 'Keep', summary: textOf(value), confirmLabel: 'Keep' }),
  run: ({ value }) => ({ value }),
})

const token = 'the-token-of-an-operator-of-this-test'

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

test('none of fifty secrets is found in database, write-ahead log, export, API or the log of the server', async () => {
  const file = join(place(), 'log.db')
  const said: string[] = []
  const stderr = vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0)
  const { parts, store } = await composed({ file, tools: [echo, write] })
  try {
    for (const { value } of canaries) {
      const rationale = `The customer said: ${textOf(value)}`.slice(0, 480)
      for (const fail of ['no', 'declared', 'crash'])
        await call(parts.engine, requestOf('echo_value', { value, fail, rationale }))
      const preview = await call(parts.engine, requestOf('echo_keep', { value, rationale }))
      const again = { value, rationale, ticket: preview.planId, preview: false }
      expect((await call(parts.engine, requestOf('echo_keep', again))).outcome).toBe('applied')
      await call(parts.engine, requestOf('echo_value', { unknown: value, rationale }))
      await call(parts.engine, requestOf(textOf(value), {}))
    }
    const api = createActivityApi({
      ...store,
      find: () => undefined,
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
  }
})
