// Whoever writes JavaScript has no compiler. A protection that is misspelt must not be switched off by that, so every
// field of a contract is refused where it is wrong, by name, with what to put there. The fields come from the contract's
// own list: one that is added there is tested here, or this does not compile.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import * as valibot from 'valibot'
import { z } from 'zod'
import { z as zod3 } from 'zod-3'
import { readFields, writeFields } from '../../../server/tools/contract.schema.ts'
import { toTool } from '../../../server/tools/catalog.ts'
import { publicContract } from '../../../server/tools/public-contract.ts'
import type { Contract } from '../../../server/tools/contract.ts'
import { checkContract, ContractError } from '../../../server/tools/define-tool.ts'

type Made = Readonly<Record<string, unknown>>

/** Everything that a read may say. */
const read: Made & Record<keyof typeof readFields, unknown> = {
  name: 'orders.get',
  wire: 'orders_get',
  pinned: 'sha256',
  ui: {},
  passes: true,
  sparing: true,
  onlyAnswers: true,
  listed: { meta: {}, icons: [] },
  prepare: async () => undefined,
  reported: async () => undefined,
  promises: { schema: { type: 'object' }, holds: () => true },
  rationale: 'optional',
  secrets: { arguments: ['/id'], result: ['/*'] },
  title: 'Get order',
  description: 'Gets an order.',
  category: 'orders',
  risk: { atMost: 'low', of: () => 'low' },
  permissions: ['orders:read'],
  external: false,
  cheatsheet: 'orders',
  languages: ['en', 'de'],
  auditEvent: 'orders.read',
  budget: { unit: 'rows', limit: 10, consumed: () => 1 },
  output: z.strictObject({ id: z.string() }),
  failures: {
    gone: {
      effect: 'none',
      guidance: 'Look again.',
      retryable: 'no',
      retryAfterSeconds: 1,
    },
  },
  operation: 'read',
  input: z.strictObject({ id: z.string() }),
  run: async () => ({ id: 'SO-1' }),
  cards: { result: () => ({ title: 'x' }) },
}

/** Everything that a write may say. */
const write: Made & Record<keyof typeof writeFields, unknown> = {
  ...read,
  name: 'orders.create',
  operation: 'write',
  noun: 'the sales order',
  risk: { atMost: 'medium', of: () => 'low' },
  autonomous: false,
  sideEffects: [{ what: 'One more order.', onRepeat: 'Another order.' }],
  idempotency: 'plan',
  transactional: false,
  cancellable: true,
  dryRunRequired: true,
  dryRun: { parameter: 'dryRun', value: true },
  confirmation: 'type-name',
  stepUp: { when: () => true },
  preview: async () => ({ title: 'x', summary: 'x', confirmLabel: 'x' }),
  basis: async () => '1',
  reconcile: async () => ({ kind: 'unknown' }),
  secrets: { result: ['/*'] },
  revise: ['/id'],
  undo: () => undefined,
  rest: () => undefined,
  lists: { rows: { page: () => ({ rows: [] }), open: () => undefined } },
  follow: async () => ({ done: true, blocks: [] }),
  reading: { when: () => false, contract: read },
  cards: { success: () => ({ title: 'x' }) },
}

const required = {
  read: ['name', 'title', 'description', 'risk', 'output', 'failures', 'operation', 'input', 'run'],
  write: ['noun', 'sideEffects', 'idempotency', 'preview'],
}

/** A failure that says this, too. */
const gone = (more: object) => ({ gone: { effect: 'none', guidance: 'Look again.', ...more } })

const refusal = (contract: Made): ContractError => {
  try {
    checkContract(contract as unknown as Contract)
  } catch (error) {
    if (error instanceof ContractError) return error
    throw error
  }
  throw new Error('It was accepted.')
}

const base = (kind: 'read' | 'write'): Made => (kind === 'read' ? read : write)
const kinds = [
  ['read', readFields],
  ['write', writeFields],
] as const
const all = kinds.flatMap(([kind, fields]) => Object.keys(fields).map((field) => [kind, field] as const))

test('a contract that says everything is accepted', () => {
  expect(() => checkContract(read as unknown as Contract)).not.toThrow()
  expect(() => checkContract(write as unknown as Contract)).not.toThrow()
})

test('what people read of a failure is accepted in the languages of its cards', () => {
  const speaking = { ...write, failures: gone({ says: { de: 'Es ist weg.' } }) }
  expect(() => checkContract(speaking as unknown as Contract)).not.toThrow()
})

test('what is wrong with the contract of its reading calls is named as such', () => {
  const { run: _, ...half } = read
  const error = refusal({ ...write, reading: { when: () => false, contract: half } })
  expect(error.problems.map((each) => each.field)).toEqual(['reading.contract.run'])
  expect(refusal({ ...write, reading: { when: () => false, contract: write } }).field).toBe('reading.contract')
})

describe.each(all)('of a %s, the field %s', (kind, field) => {
  test('is refused where it is of no use, by its name', () => {
    for (const wrong of [Symbol.iterator, 7.5, Number.NaN, null, [null]]) {
      const error = refusal({ ...base(kind), [field]: wrong })
      expect(error.problems.map((each) => each.field.split('.')[0])).toContain(field)
      expect(error.problems.every(({ fix }) => /\S \S/.test(fix))).toBe(true)
      expect(error.message).toContain(String(base(kind)['name']).split('.')[0])
    }
  })

  test('is refused where it is misspelt, and the right spelling is named', () => {
    const { [field]: said, ...rest } = base(kind)
    const misspelt = `${field}s`
    const error = refusal({ ...rest, [misspelt]: said })
    const found = error.problems.find((each) => each.field === misspelt)
    expect(found?.fix).toMatch(new RegExp(`^Did you mean "${field}"\\?`))
  })

  const needed = required.read.includes(field) || (kind === 'write' && required.write.includes(field))
  test(needed ? 'is missed where it is left out' : 'may be left out', () => {
    const { [field]: _, ...rest } = base(kind)
    const check = (): void => checkContract(rest as unknown as Contract)
    if (needed) expect(refusal(rest).problems.map((each) => each.field)).toContain(field)
    else expect(check).not.toThrow()
  })

  test('where it is a function, is none that only starts to work when somebody asks', () => {
    const said = base(kind)[field]
    if (typeof said !== 'function') return
    for (const generator of [function* () {}, async function* () {}]) {
      const error = refusal({ ...base(kind), [field]: generator })
      expect(error.problems).toMatchObject([{ field, problem: expect.stringContaining('generator') }])
    }
  })
})

test.each<[string, object, string, string]>([
  ['a step-up with a slip', { stepUp: 'allways' }, 'stepUp', 'Did you mean "always"?'],
  ['a step-up in lower case', { stepUp: undefined, stepup: 'always' }, 'stepup', 'Did you mean "stepUp"?'],
  ['a dry run that is spelt otherwise', { dryrunRequired: true }, 'dryrunRequired', 'Did you mean "dryRunRequired"?'],
  ['permissions in the singular', { permission: ['x'] }, 'permission', 'Did you mean "permissions"?'],
  ['a step-up rule with another name', { stepUp: { if: () => true } }, 'stepUp.when', 'Use never, always'],
  ['a step-up rule with one field more', { stepUp: { when: () => true, whenn: 1 } }, 'stepUp.whenn', '"when"'],
  ['a rule of autonomy that answers later', { autonomous: { when: async () => false } }, 'autonomous.when', 'true'],
  ['no risk', { risk: undefined }, 'risk', 'low, medium, high, critical, forbidden'],
  ['a risk with a slip', { risk: 'criticall' }, 'risk', 'Did you mean "critical"?'],
  ['a risk rule without its function', { risk: { atMost: 'low' } }, 'risk.of', '{ atMost, of(input) }'],
  ['no output', { output: undefined }, 'output', 'Give the schema of what run returns'],
  [
    'an input of Zod 3',
    { input: zod3.object({ id: zod3.string() }) },
    'input',
    'Import z from Zod 4 (npm install zod@4).',
  ],
  ['an output of Zod 3', { output: zod3.object({ id: zod3.string() }) }, 'output', 'Import z from Zod 4'],
  ['an input of Valibot alone', { input: valibot.strictObject({}) }, 'input', 'toStandardJsonSchema(…)'],
  ['an input that is an object of schemas', { input: { id: z.string() } }, 'input', 'Put it into z.strictObject(…).'],
  ['an input that is a word', { input: 'string' }, 'input', 'Use z.strictObject'],
  [
    'an input that is a JSON Schema of no draft',
    { input: { type: 'object', properties: 7 } },
    'input',
    'Correct it there.',
  ],
  ['no onRepeat', { sideEffects: [{ what: 'x' }] }, 'sideEffects.0.onRepeat', 'runs again'],
  [
    'an effect with a slip',
    { failures: { x: { effect: 'partiel', guidance: 'x' } } },
    'failures.x.effect',
    '"partial"',
  ],
  [
    'words of a failure that are none',
    { failures: gone({ says: 'Es ist weg.' }) },
    'failures.gone.says',
    '{ de: "…" }',
  ],
  [
    'words of a failure that are empty',
    { failures: gone({ says: { de: ' ' } }) },
    'failures.gone.says.de',
    '{ de: "…" }',
  ],
  [
    'words of a failure in a language that its cards do not have',
    { failures: gone({ says: { fr: 'Il est parti.' } }) },
    'failures.gone.says.fr',
    'Name it in `languages`',
  ],
  ['words of a failure in English', { failures: gone({ says: { en: 'Gone.' } }) }, 'failures.gone.says.en', 'ctx.fail'],
  ['words of a failure with a slip', { failures: gone({ say: { de: 'Weg.' } }) }, 'failures.gone.say', '"says"'],
  ['an autonomy that is a word', { autonomous: 'no' }, 'autonomous', 'true or false'],
  ['a dry run that is a word', { dryRunRequired: 'yes' }, 'dryRunRequired', 'true or false'],
  ['a single permission', { permissions: 'orders:write' }, 'permissions', 'list of names'],
  ['a permission without a name', { permissions: [''] }, 'permissions.0', 'list of names'],
  ['a field of nobody', { colour: 'blue' }, 'colour', 'Known here are name, '],
])('%s', (_, change, field, fix) => {
  const found = refusal({ ...write, ...change }).problems.find((each) => each.field === field)
  expect(found?.fix).toContain(fix)
})

test('a field of writes on a read is named as such', () => {
  const error = refusal({ ...read, stepUp: 'always' })
  expect(error.problems).toStrictEqual([
    { field: 'stepUp', problem: 'is not a field of a read', fix: 'Remove it, or change operation.' },
  ])
})

test('one refusal lists everything that is wrong, each with its own line', () => {
  const error = refusal({
    ...write,
    wire: undefined,
    stepUp: 'allways',
    risk: 'harmless',
    permission: [],
    title: ' ',
    name: 'Create',
  })
  expect(error.problems.map((each) => each.field).toSorted()).toStrictEqual([
    'name',
    'permission',
    'risk',
    'stepUp',
    'title',
  ])
  for (const { field } of error.problems) expect(error.message).toContain(`\n- ${field} `)
  expect(error.message).toContain('for 5 reasons')
})

test.each([[undefined], [null], ['orders.create'], [{}], [{ name: 7 }], [[]]])(
  '%j in the place of a contract is refused like any other',
  (nothing) => {
    expect(() => checkContract(nothing as never)).toThrow(ContractError)
  },
)

const fields = Object.keys(writeFields)

/** What only a gateway says of somebody else's tool. */
const ofGateways =
  'wire pinned ui passes sparing onlyAnswers listed prepare reported promises rationale reading dryRun'.split(' ')

test('every field that an author writes has its row in the guide', () => {
  const guide = readFileSync('docs/guides/contracts.md', 'utf8')
  const rows = [...guide.matchAll(/^\| ([^|]+)\|/gm)].map(([, cell = '']) => cell)
  const named = rows.flatMap((cell) => [...cell.matchAll(/`(\w+)/g)].map(([, name]) => name))
  expect(fields.filter((field) => !ofGateways.includes(field) && !named.includes(field))).toEqual([])
})

test('agents and operators read every field before the first call, but for code, schemas and what is listed elsewhere', () => {
  const elsewhere = [...ofGateways, ...'description input output run preview basis cards secrets'.split(' ')]
  const shown = Object.keys(publicContract(toTool(write as unknown as Contract, 'orders_create')))
  const spelled = (field: string) =>
    field === 'reconcile' ? 'reconciles' : field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  expect(fields.filter((field) => !elsewhere.includes(field) && !shown.includes(spelled(field)))).toEqual([])
})
