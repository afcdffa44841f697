// The log over the web: what a program asks, what it gets, and what it is told where it asks for something that makes no
// sense.
import * as fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { createActivityApi } from '../../../../server/http/activity/activity-api.ts'
import { csvCell } from '../../../../server/http/activity/csv-cell.ts'
import { requireOperator } from '../../../../server/http/operators/operator.ts'
import { toYaml } from '../../../../server/cli/terminal/yaml.ts'
import type { Store } from '../../../../server/store/store.ts'
import { opened } from '../../store/store-fixture.ts'
import { completion, entry, record } from '../../store/activity/rows.ts'

const token = 'a token of an operator'
let store: Store
let api: ReturnType<typeof createActivityApi>

const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  api.request(path, { headers: { authorization: `Bearer ${token.replaceAll(' ', '-')}`, ...headers } })

interface Listed {
  readonly activity: readonly { readonly id: string; readonly intent_type: string }[]
  readonly next_cursor: string | null
}

beforeEach(async () => {
  store = await opened({ file: ':memory:' })
  api = createActivityApi({
    activity: store.activity,
    approvals: store.approvals,
    plans: store.plans,
    find: () => undefined,
    guard: requireOperator({ adminToken: token.replaceAll(' ', '-') }),
  })
})

describe('without the admin token', () => {
  test.each(['/', '/export', '/histogram', '/stream', '/ac_1', '/?nonsense=1'])(
    '%s answers 401 and nothing else',
    async (path) => {
      const answer = await api.request(path)
      expect(answer.status).toBe(401)
      expect(JSON.stringify(await answer.json())).not.toContain('nonsense')
    },
  )
})

describe('an intent', () => {
  const listed = async () => ((await (await get('/')).json()) as { readonly activity: readonly object[] }).activity

  test('stands in every row: what nobody declared is derived, or not known', async () => {
    await record(store, { operation: 'write', operationSource: 'derived' })
    await record(store, { operation: undefined, operationSource: undefined })
    const none = { data_sensitivity: null, reason: null }
    expect(await listed()).toMatchObject([
      { intent: { operation_type: null, ...none }, intent_type: null, intent_source: null, tool_variant: null },
      { intent: { operation_type: 'write', ...none }, intent_source: 'derived', tool_variant: null },
    ])
  })

  test('loses its texts with an erasure, and not what it declared to do', async () => {
    const intent = { operation_type: 'read', data_sensitivity: 'private', reason: 'Because of ada.' }
    const declared = { operation: 'read', operationSource: 'declared', variant: 'call_tool_read', intent } as const
    const id = await record(store, declared)
    expect(await listed()).toMatchObject([{ intent, tool_variant: 'call_tool_read' }])
    await store.activity.erase({ tenant: 'default', subject: 'ada' })
    const left = { operation_type: 'read', data_sensitivity: null, reason: null }
    expect(await listed()).toMatchObject([{ id, intent: left, intent_source: 'declared', erased: true }])
  })
})

describe('a page', () => {
  test('leads to the next one by its cursor, filtered alike', async () => {
    const ids: string[] = []
    for (let at = 0; at < 7; at++) {
      ids.unshift(await record(store, { operation: 'write' }))
      await record(store, { operation: 'read' })
    }
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const answer: Response = await get(
        `/?intent_type=write&limit=3${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
      )
      expect(answer.status).toBe(200)
      const page = (await answer.json()) as Listed
      seen.push(...page.activity.map((call) => call.id))
      cursor = page.next_cursor
    }
    expect(seen).toStrictEqual(ids)
  })

  test.each([
    ['intent_type=delete', 'intent_type'],
    ['intent_type=', 'intent_type'],
    ['source=mail', 'source'],
    ['status=done', 'status'],
    ['status=ok,done', 'status'],
    ['risk=huge', 'risk'],
    ['tool=', 'tool'],
    ['search=', 'search'],
    ['search=%22*%22', 'search'],
    ['search=a+b+c+d+e+f+g+h+i+j+k+l+m', 'search'],
    ['tenant=%20', 'tenant'],
    ['since=yesterday', 'since'],
    ['since=2026-02-31', 'since'],
    ['since=2026-01-31T25:00:00Z', 'since'],
    ['since=2026-01-31T12:00:00', 'since'],
    ['until=1y', 'until'],
    ['since=1h&until=2h', 'until'],
    ['limit=0', 'limit'],
    ['limit=501', 'limit'],
    ['limit=ten', 'limit'],
    ['cursor=x', 'cursor'],
    ['intentType=read', 'intentType'],
    ['status=ok&status=failed', 'status'],
  ])('asked with %s is a 400 that names %s', async (query, filter) => {
    const answer = await get(`/?${query}`)
    expect(answer.status).toBe(400)
    const { error } = (await answer.json()) as { error: Record<string, string> }
    expect(error).toMatchObject({ code: 'bad-filter', filter })
    expect(error['next']).toMatch(/\S/)
  })

  test('finds words in what is stored, together with other filters', async () => {
    const id = await record(store, { args: '{"customer":"Northwind"}' })
    await record(store, { args: '{"customer":"Northwind"}', tool: 'orders_get' })
    const found = (await (await get('/?search=%22north%22+phone&tool=orders_create')).json()) as Listed
    expect(found.activity.map((call) => call.id)).toStrictEqual([id])
    expect(found.next_cursor).toBeNull()
    const exported = (await (await get('/export?search=northwind')).json()) as readonly unknown[]
    expect(exported).toHaveLength(2)
  })

  test.each(['/export?format=xml', '/export?status=x', '/histogram?risk=x', '/stream?risk=x', '/stream?limit=3'])(
    '%s is refused as well',
    async (path) => expect((await get(path)).status).toBe(400),
  )

  test('takes ages and times', async () => {
    await record(store)
    const count = async (query: string) => ((await (await get(`/?${query}`)).json()) as Listed).activity.length
    expect(await count('since=1h')).toBe(1)
    expect(await count('until=1h')).toBe(0)
    expect(await count('since=2020-01-01&until=2100-01-01T00:00:00%2B02:00')).toBe(1)
  })
})

test('one row is told with its story, an unknown one is a 404', async () => {
  const id = await record(store, {}, { outcome: 'previewed', planId: 'pl_1' })
  const applied = await record(store, {}, { outcome: 'applied', planId: 'pl_1' })
  const answer = (await (await get(`/${id}`)).json()) as { readonly story: readonly { readonly id: string }[] }
  expect(answer).toMatchObject({ id, arguments: { customer: 'ACME' }, result: { id: 'SO-1' } })
  expect(answer.story.map((call) => call.id)).toStrictEqual([id, applied])
  expect((await get('/ac_none')).status).toBe(404)
})

describe('an export', () => {
  test('is one JSON document, oldest first, whatever its size', async () => {
    expect(await (await get('/export')).json()).toStrictEqual([])
    const ids: string[] = []
    for (let at = 0; at < 620; at++) ids.push(await record(store, {}, { result: `{"n":${at}}` }))
    const answer = await get('/export?format=json&status=ok')
    expect(answer.headers.get('content-type')).toContain('application/json')
    const rows = (await answer.json()) as readonly { readonly id: string; readonly result: unknown }[]
    expect(rows.map((row) => row.id)).toStrictEqual(ids)
    expect(rows[619]?.result).toStrictEqual({ n: 619 })
  })

  test('is CSV that no spreadsheet runs', async () => {
    await record(store, { tool: '=HYPERLINK("http://evil.example")', rationale: '+1, said "she"', client: '\t@x' })
    const text = await (await get('/export?format=csv')).text()
    expect(text).toContain(`"'=HYPERLINK(""http://evil.example"")"`)
    expect(text).toContain(`"'+1, said ""she"""`)
    expect(text).toContain(`'\t@x`)
    expect(text.split('\r\n')).toHaveLength(3)
    expect(csvCell(-5)).toBe('-5')
  })
})

describe('the stream', () => {
  /** Reads events until there are so many, then leaves. */
  const read = async (answer: Response, wanted: number) => {
    const reader = (answer.body ?? new ReadableStream<Uint8Array>()).getReader()
    let text = ''
    while ((text.match(/^event:/gm) ?? []).length < wanted)
      text += new TextDecoder().decode((await reader.read()).value)
    await reader.cancel()
    return [...text.matchAll(/^event: activity\ndata: (.*)\nid: (\d+)$/gm)].map(([, data, id]) => ({
      call: JSON.parse(data ?? '') as { readonly id: string; readonly status: string },
      id: id ?? '',
    }))
  }

  test('brings what begins and ends from now on, and goes on where a reader left it', async () => {
    await record(store)
    const live = await get('/stream?tool=orders_create')
    expect(live.headers.get('content-type')).toContain('text/event-stream')
    const id = await store.activityLog.begin(entry())
    const [first] = await read(live, 1)
    expect(first?.call).toMatchObject({ id, status: 'open' })
    await record(store, { tool: 'orders_list' })
    await store.activityLog.complete(id, completion())
    const later = await record(store)
    const resumed = await read(await get('/stream?tool=orders_create', { 'last-event-id': first?.id ?? '' }), 2)
    expect(resumed.map(({ call }) => [call.id, call.status])).toStrictEqual([
      [id, 'ok'],
      [later, 'ok'],
    ])
  })

  test('refuses an id that it never gave', async () => {
    expect((await get('/stream', { 'last-event-id': 'x' })).status).toBe(400)
  })
})

test('YAML of a row says what the row says', () => {
  expect(
    toYaml([{ id: 'ac_1', note: 'yes', at: '2026-01-31T12:00:00Z', count: 5, no: null, list: [], deep: [{ a: [1] }] }]),
  ).toBe(`- id: ac_1
  note: "yes"
  at: "2026-01-31T12:00:00Z"
  count: 5
  "no": null
  list: []
  deep:
    - a:
        - 1
`)
  expect(toYaml([])).toBe('[]\n')
  expect(toYaml({ text: 'a: b\n- c', empty: '', dash: '- x', number: '12', hash: 'a #b' })).toBe(
    'text: "a: b\\n- c"\nempty: ""\ndash: "- x"\nnumber: "12"\nhash: "a #b"\n',
  )
  fc.assert(fc.property(fc.json(), (text) => toYaml(JSON.parse(text)).endsWith('\n')))
})
