// `countersign insights` as an operator runs it: beside a server's database, without the server.
import { beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { fingerprintOf } from '../../../server/errors/unexplained.ts'
import { openStore } from '../../../server/store/store.ts'
import { freshDatabase } from '../at-end.ts'
import { runCommand } from '../terminal.ts'

const db = freshDatabase()

beforeAll(async () => {
  const opened = await openStore({ file: db })
  if (!opened.ok) throw new Error(opened.failure.message)
  const { activityLog } = opened.value
  for (const tenant of ['north', 'south'])
    for (let at = 0; at < 3; at++) {
      const id = await activityLog.begin({
        principal: { tenant, subject: 'ada' },
        client: 'journey',
        source: 'mcp',
        tool: 'orders_get',
        variant: undefined,
        operation: 'read',
        operationSource: 'derived',
        intent: undefined,
        rationale: `Weber of the ${tenant} warehouse\u001b[2J phoned about a parcel that is lost.`,
        risk: 'low',
        auditEvent: 'orders.get',
        args: '{}',
        notes: [],
        session: tenant,
        told: at === 0 ? 'without' : 'with',
      })
      await activityLog.complete(id, {
        outcome: 'failed',
        verdict: 'allow:read',
        risk: 'low',
        planId: undefined,
        approvalId: undefined,
        durationMs: 1,
        result: undefined,
        error: { code: 'plan_stale', message: 'x' },
        finding: {
          errorType: at === 0 ? 'plan_stale' : 'tool_error',
          rule: at === 0 ? 'plan.stale' : 'tool.read',
          ...(at === 0 ? {} : { unexplained: fingerprintOf(`no parcel\u001b[2J ${at} in the ${tenant} warehouse`) }),
        },
      })
    }
  await opened.value.close()
})

test('prints each tenant by itself, with what to do, and nothing that a terminal would obey', async () => {
  const { code, stdout } = await runCommand(['insights', '--db', db])
  expect(code).toBe(0)
  const [north = '', south = ''] = stdout.split('Tenant south')
  expect(north).toContain('Tenant north')
  expect(north).not.toContain('south warehouse')
  expect(south).toContain('south warehouse')
  expect(north).toMatch(/plan_stale\s+orders_get\s+3\s+What these calls read changes/)
  expect(north).toContain('Calls: 3')
  expect(north).toMatch(/with guidance \/ without\s+- \(0 of 0\) \/ 0 % \(0 of 1\)\s+nothing to compare yet/)
  expect(north).toMatch(/tool_error\s+2\s+-\s+-\n/)
  expect(north).toMatch(
    /\n {2}2\s+1\s+[0-9a-f]{12} .* orders_get\s+no parcel.* <number> in the north warehouse\s+The tool/,
  )
  expect(stdout).not.toContain('\u001b')
})

test('prints one tenant as JSON or as YAML, the same as the API', async () => {
  const line = ['insights', '--db', db, '--tenant', 'south', '--since', '30d']
  const { code, stdout } = await runCommand([...line, '--json'])
  expect(code).toBe(0)
  const { guidance, failures } = JSON.parse(stdout) as Readonly<Record<string, unknown>>
  expect(JSON.parse((await runCommand([...line, '-o', 'json'])).stdout)).toMatchObject({ guidance, failures })
  expect(parse((await runCommand([...line, '-o', 'yaml'])).stdout)).toMatchObject({ guidance, failures })
  expect(JSON.parse(stdout)).toMatchObject({
    tenant: 'south',
    calls: { total: 3, outcomes: { failed: 3 }, grain: 'day' },
    guidance: { halves: { without: { judged: 1 } }, unexplained: [{ errors: 2, tool: 'orders_get' }] },
    failures: [{ code: 'plan_stale', tool: 'orders_get', count: 3 }],
    warnings: [],
  })
})

test.each([
  [['--since', 'yesterday'], 2, 'an age like 90m, 24h, 7d'],
  [['--since', '2999-01-01'], 2, 'still to come'],
  [['--sinse', '7d'], 2, 'unknown option'],
])('with %j ends with %d and says why', async (args, code, words) => {
  const ended = await runCommand(['insights', '--db', db, ...args])
  expect(ended.code).toBe(code)
  expect(ended.stderr).toContain(words)
})

test('of a database without activity says so, and of one that is not there as well', async () => {
  const file = freshDatabase()
  const absent = await runCommand(['insights', '--db', file])
  expect(absent).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no database at') })
  const opened = await openStore({ file })
  if (!opened.ok) throw new Error(opened.failure.message)
  await opened.value.close()
  const { code, stdout, stderr } = await runCommand(['insights', '--db', file])
  expect(code).toBe(0)
  expect(stdout + stderr).toContain('There is no activity yet.')
})
