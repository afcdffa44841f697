// What tools write into the log: whatever they hand over becomes a line, and no marked argument stands in one.
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { call } from '../../../server/rail/call.ts'
import type { ToolContext } from '../../../server/tools/contract.ts'
import { runsOf } from '../../full.ts'
import { readTool } from '../../kit/tools.ts'
import { requestOf } from '../../kit/calls.ts'
import { createClock } from '../../kit/clock.ts'
import { createEngine, openMemory, why } from './rail-fixture.ts'

const secret = 'pa"ss\\wo\nrd/ä'
const given = { pin: 483920, password: secret, cvv: '739', code: 'A B!c', env: null, rationale: why }

/** The lines that a tool wrote, and how its call ended. */
async function logged(
  write: (log: ToolContext['log'], input: Record<string, unknown>) => void,
  more: Readonly<Record<string, unknown>> = {},
) {
  const lines: { readonly message: string; readonly fields: Readonly<Record<string, unknown>> }[] = []
  const tool = readTool({
    name: 'cards.read',
    input: z.strictObject({
      pin: z.number(),
      password: z.string(),
      cvv: z.string(),
      code: z.string().toLowerCase(),
      env: z.json(),
    }),
    output: z.object({}),
    secrets: { arguments: ['/pin', '/password', '/cvv', '/code', '/env'] },
    run: (input, { log }) => {
      write(log, input)
      return {}
    },
  })
  const { now } = createClock()
  const store = await openMemory(now)
  const say = (message: string, fields = {}): void => void lines.push({ message, fields })
  const engine = createEngine({ tools: [tool], ledger: store.plans, now })
  const answer = await call(
    { ...engine, log: { error: say, warn: say, info: say, debug: say } },
    requestOf('cards_read', { ...given, ...more }),
  )
  return { lines, outcome: answer.outcome }
}

const hidden: Readonly<Record<string, (log: ToolContext['log'], input: Record<string, unknown>) => void>> = {
  'as a number': (log, { pin }) => log.info('n', { pin_of: pin, nested: { of: [pin] }, big: 483920n }),
  'in a nested text': (log, { password }) =>
    log.info('n', { args: { a: password, b: [`before ${String(password)}`] } }),
  'as JSON in a sentence': (log, input) => log.info(JSON.stringify(input)),
  'as JSON in a field': (log, input) =>
    log.info('n', { deep: { text: JSON.stringify({ input: JSON.stringify(input) }) } }),
  'percent-encoded': (log, { password }) => log.info(`https://x.example/?q=${encodeURIComponent(String(password))}`),
  'in an address': (log, { password }) => log.info('n', { url: new URL(`https://x.example/?q=${String(password)}`) }),
  'in a form': (log, { password }) => log.info(new URLSearchParams({ of: String(password) }).toString()),
  'as a key': (log, { password }) => log.info('n', { [String(password)]: 1, a: { [String(password)]: 1 } }),
  'short, as a whole field': (log, { cvv }) => log.info(String(cvv), { of: cvv, all: [cvv] }),
  'as the tool got it': (log, { code }) => log.info(`It is ${String(code)}.`),
  'in an error': (log, { password }) => log.error('n', { of: new Error(`not ${String(password)}`) }),
}

test.each(Object.entries(hidden))('a marked argument is hidden %s', async (_, write) => {
  const { lines, outcome } = await logged(write)
  expect(outcome).toBe('ok')
  expect(lines).toHaveLength(1)
  const text = JSON.stringify(lines)
  expect(text).toContain('[redacted]')
  expect(text).not.toMatch(/483920|739|pa.{1,6}ss|wo.{1,4}rd|a b!c/i)
})

test('no size and no number of marked arguments keeps a line from being written', async () => {
  const password = 'q7/"Z'.repeat(40_000)
  const env = Object.fromEntries(
    Array.from({ length: 3000 }, (_, at) => [`K${at}`, `${at.toString(36)}/"`.slice(0, 4)]),
  )
  const { lines } = await logged((log) => log.warn('key refused', { who: 'eve' }), { password, env })
  expect(lines).toMatchObject([{ message: 'key refused', fields: { who: 'eve' } }])
  const whole = await logged((log) => log.warn(`${password}, as JSON ${JSON.stringify({ password })}`), {
    password,
    env,
  })
  expect(whole.lines).toMatchObject([{ message: '[redacted], as JSON {"password":"[redacted]"}' }])
})

test('what is switched on and what is 0 is no secret, wherever it stands among marked arguments', async () => {
  const { lines } = await logged((log) => log.info('{"ok":true}', { ok: true, off: false, left: 0 }), {
    env: { debug: true, quiet: false, retries: 0 },
  })
  expect(lines).toMatchObject([{ message: '{"ok":true}', fields: { ok: true, off: false, left: 0 } }])
})

test('whatever a marked text is, no line has it in a form that programs write', async () => {
  const text = fc
    .oneof(fc.string({ minLength: 4, unit: 'binary' }), fc.string({ minLength: 4, maxLength: 300 }))
    .filter((value) => value.trim().length >= 4 && !/^[\d.e+-]+$/.test(value))
  const form = fc.constantFrom<(value: string) => string>(
    (value) => value,
    (value) => JSON.stringify(value).slice(1, -1),
    (value) => JSON.stringify(JSON.stringify({ value })).slice(1, -1),
    (value) => encodeURIComponent(value.toWellFormed()),
    (value) => new URL(`https://x.example/?a=1&q=${value}&b=2`).href,
    (value) => new URLSearchParams({ of: value.toWellFormed() }).toString(),
  )
  await fc.assert(
    fc.asyncProperty(text, form, async (password, write) => {
      const written = write(password)
      const { lines } = await logged((log) => log.info(`before ${written} behind`), { password })
      expect(lines).toHaveLength(1)
      expect(lines[0]?.message).toContain('[redacted]')
      expect(lines[0]?.message).not.toContain(password)
    }),
    { numRuns: runsOf(400) },
  )
})

const circle: Record<string, unknown> = {}
circle['self'] = circle

test('whatever it is given becomes a line', async () => {
  const { lines, outcome } = await logged((log) => {
    const loose = log as unknown as { info(...given: readonly unknown[]): void }
    loose.info('a bigint', { n: 10n })
    loose.info('no fields', null)
    loose.info(new TypeError('disk full'))
    loose.info('parts', { at: new Date(0), map: new Map([['a', 1n]]), set: new Set([1]), none: undefined })
    loose.info('broken', {
      circle,
      get: {
        get it(): never {
          throw new Error('no')
        },
      },
    })
    loose.info('failed', new Error('disk full', { cause: 'quota' }))
    loose.info({ a: 1 }, [1, 2])
  })
  expect(outcome).toBe('ok')
  expect(lines).toMatchObject([
    { fields: { n: '10', tool: 'cards_read' } },
    { message: 'no fields' },
    { message: 'TypeError: disk full', fields: { error: expect.stringContaining('"stack":') } },
    { fields: { at: '1970-01-01T00:00:00.000Z', map: '{"a":"1"}', set: '[1]' } },
    { fields: { circle: '{"self":"[circular]"}', get: expect.stringContaining('[unreadable]') } },
    { fields: { error: expect.stringMatching(/disk full.*quota/) } },
    { message: '{"a":1}', fields: { value: '[1,2]' } },
  ])
})

test('a log that breaks does not break the tool', async () => {
  const tool = readTool({
    name: 'cards.read',
    input: z.strictObject({}),
    output: z.object({}),
    run: (_, { log }) => {
      log.info('a line')
      return {}
    },
  })
  const { now } = createClock()
  const broken = (): never => {
    throw new Error('EPIPE')
  }
  const engine = createEngine({ tools: [tool], ledger: (await openMemory(now)).plans, now })
  const log = { error: broken, warn: broken, info: broken, debug: broken }
  expect((await call({ ...engine, log }, requestOf('cards_read', { rationale: why }))).outcome).toBe('ok')
})
