// Cards of another server's tools: what is secret, what is too large, and what is sent where a dry run says what happens.
import { describe, expect, test } from 'vitest'
import { cardLimits } from '../../../../server/cards/limits.ts'
import { cardBlockSchema } from '../../../../server/cards/card.schema.ts'
import { plainValue } from '../../../../server/cards/plain-value.ts'
import { argumentBlocks } from '../../../../server/gateway/profiles/shown-arguments.ts'
import { shapeDigest } from '../../../../server/gateway/profiles/definition-shape.ts'
import { profileSchema } from '../../../../server/gateway/profiles/profile.schema.ts'
import { secretPointers, withoutSecrets } from '../../../../server/gateway/profiles/secret-arguments.ts'
import { withinLimits } from '../../../../server/gateway/looks/within-limits.ts'
import { pinTools } from '../../../../server/gateway/upstream/definitions/pins.ts'
import type { CardBlock } from '../../../../server/model/card.ts'
import { call } from '../../../../server/rail/call.ts'
import { requestOf } from '../../../kit/calls.ts'
import { confirmed, createStage, everythingShown, previewAgainMessage } from '../../rail/rail-fixture.ts'
import { answerResult, startWorkingServer } from '../fixtures/working-server.ts'
import { png } from '../looks/pictures.ts'
import { contractsOf, startOne } from '../servers.ts'

const write = { operation: 'write', risk: 'high' }

/** One tool `put` with these arguments, of a server whose profile says this of it. */
async function putting(properties: object, profiled: object, { lowers = true, says = {}, alone = true } = {}) {
  const annotations = { readOnlyHint: false, destructiveHint: true }
  const tools = [{ name: 'put', annotations, inputSchema: { type: 'object', properties } }]
  const server = await startWorkingServer(answerResult, tools, says)
  const upstream = await startOne({ url: server.url, type: 'http' })
  const listed = upstream.tools().tools
  const store = { get: async () => [], put: async () => undefined, accept: async () => false }
  const profile = profileSchema.parse({
    profile: 1,
    name: 'it',
    title: 'It',
    match: { server: ['working'] },
    tools: { put: { ...write, ...profiled } },
    tested: [{ version: '1', definitions: { put: shapeDigest(listed[0] ?? expect.fail('no tool')) } }],
  })
  const known = { profile, lowers, by: 'the test' }
  const pinned = await pinTools(upstream.name, listed, store)
  const stage = await createStage(
    contractsOf(upstream, pinned, { known, ...(alone ? { wireName: (tool: string) => tool } : {}) }),
  )
  return { stage, received: server.received }
}

const secret = 'hunter2-Hunter2-9931'

test('a secret argument is on no card, in no message and in no record, and its server gets it', async () => {
  const { stage, received } = await putting(
    { name: { type: 'string' }, login: { type: 'object', properties: { password: { type: 'string' } } } },
    {
      title: 'Put {name}',
      show: [{ argument: '/login/password', label: 'Password', as: 'secret' }],
      done: 'Put {/login/password}',
    },
  )
  const preview = await stage.ask('put', { name: 'a', login: { password: secret, user: 'mia' } })
  expect(preview.card?.blocks[0]).toEqual({
    kind: 'fields',
    fields: [{ label: 'Password', value: { kind: 'text', text: '(hidden: 16 to 31 characters)' } }],
  })
  expect(everythingShown(preview)).toContain('mia')
  expect(everythingShown(preview)).not.toContain(secret)
  expect(previewAgainMessage(preview)).toBeUndefined()
  expect(confirmed(preview)).not.toContain(secret)
  const applied = await stage.repeat(confirmed(preview))
  expect(applied.outcome).toBe('applied')
  expect(JSON.stringify(applied.card)).not.toContain(secret)
  expect(received).toEqual([{ name: 'a', login: { password: secret, user: 'mia' } }])
})

test.each([
  ['a', '(hidden: 1 to 7 characters)'],
  ['12345678', '(hidden: 8 to 15 characters)'],
  ['x'.repeat(5000), '(hidden: 1024 characters or more)'],
  [12_345, '(hidden)'],
  [{ a: secret }, '(hidden)'],
])('of a secret it is said about how long it is', (value, says) => {
  const show = profileSchema.shape.tools.parse({ t: { ...write, show: [{ argument: 'key', as: 'secret' }] } })['t']
    ?.show
  expect(withoutSecrets({ key: value, other: 1 }, show)).toEqual({ key: says, other: 1 })
  expect(secretPointers(show)).toEqual(['/key'])
})

test('a secret that is not given, or empty, is not said to be hidden', () => {
  const show = [{ argument: 'key', as: 'secret' }] as const
  for (const args of [{}, { key: null }, { key: '' }]) expect(withoutSecrets(args, show)).toEqual(args)
})

test('the card of a call that only read is not headed by what the tool does otherwise', async () => {
  const { stage } = await putting(
    { mode: { type: 'string' } },
    {
      title: 'Delete the branch',
      when: [
        { if: { mode: { equals: 'list' } }, operation: 'read', risk: 'low' },
        { if: { mode: { equals: 'show' } }, operation: 'read', risk: 'low', title: 'Show the branch' },
      ],
    },
  )
  const titleOf = async (mode: string) => {
    const request = requestOf('put', { mode, rationale: 'A look at the branches.' })
    return (await call(stage.engine, { ...request, drawn: 'tool' })).card?.title
  }
  expect(await titleOf('list')).toBe('Put on it')
  expect(await titleOf('show')).toBe('Show the branch')
})

test('arguments stand in the order of the profile, and a path that the subtitle has is not said twice', async () => {
  const text = { type: 'string' }
  const { stage } = await putting(
    { path: text, body: text, mode: text, wait: { type: 'integer' } },
    {
      title: 'Put {path|base}',
      target: '{path}',
      show: [
        { argument: 'path', label: 'File' },
        { argument: 'mode', label: 'How' },
        { argument: 'body', label: 'Text', as: 'code' },
        { argument: 'wait', label: 'Waits' },
      ],
    },
  )
  const { card } = await stage.ask('put', { path: '/data/plan.md', body: 'a', mode: 'new', wait: 5 })
  expect(card?.subtitle).toBe('/data/plan.md')
  expect(card?.blocks.slice(0, 3)).toMatchObject([
    { fields: [{ label: 'How' }] },
    { kind: 'code', label: 'Text' },
    { fields: [{ label: 'Waits' }] },
  ])
  // In other letters, or shortened, it is no longer what will be sent.
  const hostile = await stage.ask('put', { path: '/data/“plan”', body: 'a' })
  expect(hostile.card?.blocks[0]).toMatchObject({ fields: [{ label: 'File', value: { text: '/data/“plan”' } }] })
})

test('what may stay folded is last, behind warnings and effects', async () => {
  const { stage } = await putting({ path: { type: 'string' } }, { effects: ['It is gone.'] })
  const { card } = await stage.ask('put', { path: 'a', more: 1 })
  expect(card?.blocks.map(({ kind }) => kind)).toEqual(['lines', 'alert', 'effects', 'details'])
})

test('beside a dry run stands what will be sent, one row for each argument', async () => {
  const properties = { path: { type: 'string' }, at: { type: 'object' }, dryRun: { type: 'boolean', default: false } }
  const { stage } = await putting(properties, { dry_run: { parameter: 'dryRun', value: true } })
  const preview = await stage.ask('put', { path: 'a\nb', at: { line: 7, tags: ['x', 'y'] } })
  expect(preview.card?.blocks).toContainEqual({
    kind: 'details',
    summary: 'What will be sent',
    applied: true,
    fields: [
      { label: 'path', value: { kind: 'text', text: 'a\nb' } },
      { label: 'at.line', value: { kind: 'code', text: '7' } },
      { label: 'at.tags', value: { kind: 'code', text: '["x","y"]' } },
    ],
  })
})

test('a text that is larger than a card is shown as far as it goes, and what is left out is said first', () => {
  const blocks = withinLimits([{ kind: 'code', label: 'Log', text: `${'x'.repeat(cardLimits.code - 1)}😀 and more` }])
  expect(blocks[0]).toEqual({
    kind: 'alert',
    severity: 'warning',
    title: 'This card does not show all of it.',
    text: 'Not shown: 11 of 1,000,010 characters of Log.',
  })
  expect(blocks[1]).toMatchObject({ text: 'x'.repeat(cardLimits.code - 1) })
})

test('of many long arguments each is shown', () => {
  const args = Object.fromEntries(Array.from({ length: 80 }, (_, at) => [`part_${at}`, `line ${at}\nend ${at}`]))
  const blocks = withinLimits(argumentBlocks(args, {}))
  expect(blocks.length).toBeLessThanOrEqual(cardLimits.blocks)
  for (let at = 0; at < 80; at++) expect(JSON.stringify(blocks)).toContain(`end ${at}"`.slice(0, -1))
  expect(blocks.some(({ kind }) => kind === 'alert')).toBe(false)
})

test('rows, columns, fields and changes above the limits are counted', () => {
  const value = { kind: 'unset' } as const
  const many = <T>(item: T, count: number): T[] => Array.from({ length: count }, () => item)
  const blocks: CardBlock[] = [
    { kind: 'table', label: 'Rows', columns: many({ label: 'a' }, 14), rows: [many(value, 14)] },
    { kind: 'fields', fields: many({ label: 'x', value }, cardLimits.fields + 2) },
    { kind: 'diff', changes: many({ pointer: '/a', label: 'a', before: value, after: value }, cardLimits.changes + 1) },
    ...many<CardBlock>({ kind: 'text', text: 'a' }, 60),
  ]
  const [warning, ...shown] = withinLimits(blocks)
  expect(warning).toMatchObject({
    text: 'Not shown: 24 of 63 parts; 2 of 14 columns of Rows; 2 of 502 fields; 1 of 501 changes.',
  })
  expect(shown).toHaveLength(39)
})

test('texts that stand as one leave everything else in its place, such as what will be sent', () => {
  const many = Array.from({ length: 60 }, (_, at): CardBlock => ({ kind: 'code', label: `File ${at}`, text: `+${at}` }))
  const sent: CardBlock = { kind: 'details', summary: 'What will be sent', applied: true, fields: [] }
  const alert: CardBlock = { kind: 'alert', severity: 'info', title: 'Seen' }
  const blocks = withinLimits([...many, alert, sent])
  expect(blocks).toHaveLength(40)
  expect(blocks.slice(-2)).toEqual([alert, sent])
  expect(blocks.at(-3)).toMatchObject({ label: '23 more texts', text: expect.stringContaining('File 59\n+59') })
})

test('any arguments make blocks that a card holds', () => {
  const long = 'x'.repeat(cardLimits.code + 10)
  const short = 'y'.repeat(cardLimits.text + 10)
  const blocks = withinLimits([
    ...argumentBlocks({ all: [long, 1], some: [short, 'a'] }, {}, [{ argument: 'some', as: 'text' }]),
    { kind: 'diff', changes: [{ pointer: '/a', label: 'A', before: plainValue([short]), after: plainValue(short) }] },
    { kind: 'table', label: 'Rows', columns: [{ label: 'a' }], rows: [[plainValue({ long })], [plainValue('a')]] },
    { kind: 'code', text: '[]', language: 'json' },
    { kind: 'text', text: short },
  ])
  for (const block of blocks) expect(cardBlockSchema.safeParse(block).error).toBeUndefined()
  expect(blocks[0]).toMatchObject({
    title: 'This card does not show all of it.',
    text: [
      'Not shown: 10 of 100,010 characters of Some',
      '16 of 1,000,016 characters of all',
      '10 of 100,010 characters of A',
      '10 of 100,010 characters of A',
      '21 of 1,000,021 characters of a',
      '10 of 100,010 characters of a text.',
    ].join('; '),
  })
})

test.each([
  '2026-05-05',
  '2026-05-05T10:00:00Z',
  '2026-05-05T10:00',
  '5 May 2026',
  'room 5',
  '2026',
  '2026-13-45',
  '2026-02-31',
])('a date that is written as %j stands as a day only if it is one, and else as it came', (due) => {
  const [block] = argumentBlocks({ due }, {}, [{ argument: 'due', as: 'date' }])
  expect(cardBlockSchema.safeParse(block).error).toBeUndefined()
  const kind = ['2026-05-05', '2026-05-05T10:00:00Z'].includes(due) ? 'date' : 'text'
  expect(block).toMatchObject({ fields: [{ value: { kind, [kind === 'date' ? 'iso' : 'text']: due } }] })
})

const icons = [
  { src: 'https://icons.example/github.png' },
  { src: `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg"/>')}` },
  { src: png(16, 16), theme: 'dark' },
  { src: png(32, 32) },
]

test('a server that the settings lead to has its icon on the card, and one that only says who it is has none', async () => {
  const known = await (await putting({}, {}, { says: { icons } })).stage.ask('put')
  expect(known.card?.icon).toBe(png(32, 32))
  expect(JSON.stringify(known.card)).toContain('It, by the test')
  const claimed = await (await putting({}, {}, { says: { icons, title: 'GitHub' }, lowers: false })).stage.ask('put')
  expect(claimed.card?.icon).toBeUndefined()
  expect(JSON.stringify(claimed.card)).toContain('only the server says that it is It, so no icon of it is shown')
})

/** A server that nobody knows, with one tool. */
async function serving(definition: object, says = {}) {
  const server = await startWorkingServer(answerResult, [definition], says)
  const upstream = await startOne({ url: server.url, type: 'http' })
  const store = { get: async () => [], put: async () => undefined, accept: async () => false }
  const pinned = await pinTools(upstream.name, upstream.tools().tools, store)
  return createStage(contractsOf(upstream, pinned, { wireName: (tool) => tool }))
}

test('SQL for a server that nobody knows stands as code, with what is critical marked', async () => {
  const annotations = { readOnlyHint: false, destructiveHint: true }
  const properties = { query: { type: 'string', description: 'The SQL to run' }, limit: { type: 'integer' } }
  const inputSchema = { type: 'object', properties }
  const stage = await serving({ name: 'execute_sql', description: 'Runs SQL.', annotations, inputSchema })
  const text = 'DELETE FROM orders WHERE 1=1'
  const { card } = await stage.ask('execute_sql', { query: text, limit: 5 })
  const code = card?.blocks.find((block) => block.kind === 'code')
  expect(code).toMatchObject({ label: 'query (the server says: The SQL to run)', language: 'sql', text })
  expect(code?.spans).toContainEqual({ from: text.indexOf('1=1'), to: text.length, as: 'danger' })
  expect(JSON.stringify(card?.blocks)).toContain('"limit"')
})

test.each([
  ['run_command', 'Runs a command.', 'If a shell runs it: Deletes build and everything in it, without asking.'],
  ['bash', 'Runs a line in bash.', 'Deletes build and everything in it, without asking.'],
])(
  'a line for %s of a server that nobody knows is read, and what it does heads the card',
  async (name, says, title) => {
    const inputSchema = { type: 'object', properties: { command: { type: 'string' } } }
    const stage = await serving({ name, description: says, inputSchema })
    const text = 'ls; rm -rf build; touch a'
    const { card } = await stage.ask(name, { command: text })
    expect(card?.blocks).toContainEqual({ kind: 'alert', severity: 'danger', title })
    const code = card?.blocks.find((block) => block.kind === 'code')
    expect(code).toMatchObject({ label: 'command', language: 'shell', text })
    expect(code?.spans).toContainEqual({ from: 4, to: 16, as: 'danger' })
    expect(JSON.stringify(card?.blocks)).toContain('Creates a, or sets its time.')
  },
)

test('a line that comes as a list of words heads the card with what it does, too', async () => {
  const inputSchema = { type: 'object', properties: { command: { type: 'array', items: { type: 'string' } } } }
  const stage = await serving({ name: 'run_command', description: 'Runs a command.', inputSchema })
  const { card } = await stage.ask('run_command', { command: ['rm', '-rf', 'my build'] })
  const title = 'If a shell runs it: Deletes "my build" and everything in it, without asking.'
  expect(card?.blocks).toContainEqual({ kind: 'alert', severity: 'danger', title })
})

describe('the head of a card that no profile gives words', () => {
  test.each([
    ['publish_board', undefined, 'Publish board on it'],
    ['publishBoard', 'Publish Board', 'Publish Board on it'],
    ['pods_run', 'Pods: Run', 'Pods: Run on it'],
    // A title that says something else than the name is the server's word on what happens.
    ['delete_repo', 'Read a file', 'Delete repo on it'],
    ['delete_repo', 'Delete repo ✔ checked', 'Delete repo on it'],
    ['delete_repo', 'delete repo\u202E', 'Delete repo on it'],
    // Whole sentences are no names.
    ['nothing_happens_when_you_confirm_this_call', undefined, 'Run nothing_happens_when_you_confirm_this_call on it'],
    ['...', undefined, 'Run ... on it'],
  ])('of %s with the title %j says %j', async (name, title, shown) => {
    const definition = { name, ...(title === undefined ? {} : { title }), inputSchema: { type: 'object' } }
    const { card } = await (await serving(definition)).ask(name)
    expect(card?.title).toBe(shown)
    if (title === 'Read a file') expect(JSON.stringify(card)).toContain('"The server calls it"')
    expect(card?.actions.map(({ label }) => label)).toContain(`Run ${name}`)
    if (!shown.startsWith('Run ')) expect(card?.subtitle).toBe(`\`${name}\` · its server calls itself “working 1”`)
  })

  test.each([
    ['**Verified** `by us`', 'its server calls itself “∗∗Verified∗∗ ˋby usˋ 1”'],
    ['GitHub” · checked by “Countersign', "its server calls itself “GitHub' · checked by 'Countersign 1”"],
    ['\u202Ebuhtig', 'its server calls itself “[U+202E]buhtig 1”'],
    ['x'.repeat(200), `its server calls itself “${'x'.repeat(80)}…”`],
  ])('has the name %j, which only the server gives itself, as its word and between marks', async (title, shown) => {
    const stage = await serving({ name: 'put', inputSchema: { type: 'object' } }, { title })
    expect((await stage.ask('put')).card?.subtitle).toBe(`\`put\` · ${shown}`)
  })

  test('says nothing of what a server calls itself where the settings call it the same', async () => {
    const stage = await serving({ name: 'put', inputSchema: { type: 'object' } }, { title: 'IT' })
    expect((await stage.ask('put')).card?.subtitle).toBe('`put`')
  })
})

describe('a profile that only the name has found which a server gives itself', () => {
  const words = { title: 'Put {name} away', confirm: 'Put away', done: 'It is away', repeats: 'harmless' }
  const name = { name: { type: 'string' } }

  test('gives the card its words, which are said first to rest on that name, and the button none', async () => {
    const { stage } = await putting(name, words, { lowers: false })
    const { card } = await stage.ask('put', { name: 'plan' })
    expect(card?.title).toBe('Put plan away')
    expect(card?.subtitle).toBe('its server calls itself “working 1”')
    expect(card?.blocks[0]).toMatchObject({ severity: 'warning', title: 'It is not proven that this is It.' })
    expect(card?.blocks[1]).toMatchObject({ items: [{ label: 'name' }] })
    expect(card?.actions.map(({ label }) => label)).toContain('Run put')
    expect(JSON.stringify(card)).toContain('\\"profile\\": \\"it\\" in its entry of the settings says it, too')
  })

  test('promises nothing of a repeat, and says of what ran only that it ran', async () => {
    const { stage } = await putting(name, words, { lowers: false })
    const preview = await stage.ask('put', { name: 'plan' })
    expect(JSON.stringify(preview.card)).toContain('sent again, it may happen again')
    expect((await stage.repeat(confirmed(preview))).card?.title).toBe('put ran on it')
  })

  test('has, among several servers, what the settings call this one beside what it calls itself', async () => {
    const claimed = await putting(name, words, { lowers: false, alone: false })
    expect((await claimed.stage.ask('it:put', { name: 'a' })).card?.subtitle).toBe(
      'it, its server calls itself “working 1”',
    )
    const proven = await putting(name, { ...words, target: 'Shelf 4' }, { alone: false, says: { title: 'Evil' } })
    const preview = await proven.stage.ask('it:put', { name: 'a' })
    expect(preview.card?.subtitle).toBe('Shelf 4 · it')
    expect((await proven.stage.repeat(confirmed(preview))).card?.subtitle).toBe('it')
  })

  test('is believed where the settings lead to it', async () => {
    const { stage } = await putting(name, words)
    const preview = await stage.ask('put', { name: 'plan' })
    expect(JSON.stringify(preview.card)).not.toContain('not proven')
    expect(preview.card?.actions.map(({ label }) => label)).toContain('Put away')
    expect(JSON.stringify(preview.card)).toContain('sent again, it changes nothing more')
    expect((await stage.repeat(confirmed(preview))).card?.title).toBe('It is away')
  })
})
