// Servers answer a SELECT in as many ways as there are languages; rows are found in each, or said not to be.
import { expect, test } from 'vitest'
import { ok } from '../../../../server/errors/result.ts'
import { createBefore } from '../../../../server/gateway/profiles/before.ts'
import { readProfile } from '../../../../server/gateway/profiles/read-profile.ts'
import { ratedByProfile, type ToolProfile } from '../../../../server/gateway/profiles/tool-profile.ts'
import type { Upstream } from '../../../../server/gateway/upstream/upstream.ts'
import type { ToolContext } from '../../../../server/tools/contract.ts'
import { loadPostgresParser } from '../../../../server/gateway/programs/sql/postgres-parser.ts'

const shop = (tool: string) => {
  const text = `
profile: 1
name: shop
title: Shop
match: { command: [shop] }
tools:
  get: read
  run_sql:
    operation: destructive
    risk: critical
${tool}
tested: [{ version: '1', definitions: {} }]`
  const read = readProfile(text, 'shop.yaml')
  if (!read.ok) throw new Error(JSON.stringify(read.failure))
  return read.value.tools['run_sql']!
}

const counting = `
    program: { argument: /params/sql, language: sql, dialect: postgresql }
    before:
      - rows_of: /params/sql
        dialect: postgresql
        call: run_sql
        argument: /params/sql
        with: { params: { project: '{/params/project}' } }`

const context = { audit: async () => undefined, signal: new AbortController().signal } as unknown as ToolContext

/** What is found before a call, where the server answers each read so; and the calls that it got. */
async function before(tool: string, answer: (args: Readonly<Record<string, unknown>>) => string, input: unknown) {
  const calls: unknown[] = []
  const callTool = async (_: string, args: Readonly<Record<string, unknown>>) => {
    calls.push(args)
    return ok({ content: [{ type: 'text', text: answer(args) }] })
  }
  const upstream = { name: 'shop', callTool } as unknown as Upstream
  await loadPostgresParser()
  const found = await createBefore(upstream, shop(tool).before ?? [], async () => undefined, {})(input, context)
  return { found, calls }
}

const rowsOf = (args: Readonly<Record<string, unknown>>, counts: string, samples: string): string =>
  /count\(\*\)/i.test(JSON.stringify(args)) ? counts : samples

test.each([
  ['as JSON', '[{"count": 2}]', '[{"id": 1, "paid": null}]'],
  [
    'with its time below',
    '[{"count": 2}]\nQuery execution time: 1.20 ms',
    '[{"id": 1, "paid": null}]\nQuery time: 1 ms',
  ],
  [
    'between marks',
    'Below is <data-1>\n[{"count":2}]\n</data-1> and no more',
    'Below <d>\n[{"id":1,"paid":null}]\n</d>',
  ],
  ['as Python writes a list', "[{'count': 2}]", "[{'id': 1, 'paid': None}]"],
])('rows are found in an answer %s', async (_, counts, samples) => {
  const input = { params: { project: 'p1', sql: 'DELETE FROM orders WHERE id > 0' } }
  const { found, calls } = await before(counting, (args) => rowsOf(args, counts, samples), input)
  expect(found).toMatchObject([{ kind: 'rows', found: { hit: 2, all: 2, samples: [{ id: 1, paid: null }] } }])
  expect(calls).toContainEqual({ params: { project: 'p1', sql: expect.stringContaining('count(*)') } })
})

test('dates and numbers of Python are shown as it writes them', async () => {
  const samples = "[{'id': 1, 'at': datetime.datetime(2026, 1, 2, 3, 4), 'sum': Decimal('1.50'), 'by': \"O'Hara\"}]"
  const input = { params: { sql: 'DELETE FROM orders' } }
  const { found } = await before(counting, (args) => rowsOf(args, "[{'count': 1}]", samples), input)
  expect(found).toMatchObject([
    { found: { samples: [{ id: 1, at: 'datetime.datetime(2026, 1, 2, 3, 4)', sum: '1.50', by: "O'Hara" }] } },
  ])
})

test('an answer without rows is said to hold none', async () => {
  const { found } = await before(counting, () => 'No results [yet', { params: { sql: 'DELETE FROM orders' } })
  expect(found).toMatchObject([{ kind: 'rows-unchecked', why: 'Its answer holds no list of rows.' }])
})

test('a server that says in plain words that there is nothing is understood', async () => {
  const reading = `
    before:
      - call: get
        label: It is
        show: { as: text }
        none: { matches: '^Key not found: ', says: There is none., unmarked: true }`
  expect((await before(reading, () => 'Key not found: a', {})).found).toMatchObject([{ kind: 'none' }])
  expect((await before(reading, () => 'its value: Key not found: a', {})).found).toMatchObject([{ kind: 'answered' }])
})

test('of a list of statements the worst counts, and none hides in the quotes of another', async () => {
  await loadPostgresParser()
  const program = '    program: { argument: statements, language: sql, dialect: postgresql }'
  const tool: ToolProfile = { ...shop(program), server: 'Shop', lowers: true }
  const rated = (...statements: readonly unknown[]) => ratedByProfile(tool, { statements })
  expect(rated('SELECT 1', 'SELECT 2')).toMatchObject({ operation: 'read', risk: 'low' })
  expect(rated('SELECT 1', 'DELETE FROM orders WHERE id = 1')).toMatchObject({ operation: 'destructive' })
  expect(rated('SELECT 1 /*', 'DELETE FROM orders -- */').operation).toBe('destructive')
  expect(rated('SELECT 1', 2)).toMatchObject({ operation: 'destructive', risk: 'critical' })
  expect(rated()).toMatchObject({ operation: 'destructive', risk: 'critical' })
})
