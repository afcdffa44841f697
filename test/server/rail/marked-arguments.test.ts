// What a contract marks as a secret stands nowhere that is kept: not in the record, not in the server's log, whatever the tool or
// a middleware says or throws. The agent, who sent it, and the card may read it.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import type { ComposeOptions } from '../../../server/compose/compose.ts'
import type { Middleware } from '../../../server/index.ts'
import { call } from '../../../server/rail/call.ts'
import type { ToolContext } from '../../../server/tools/contract.ts'
import { requestOf } from '../../kit/calls.ts'
import { composed } from '../../kit/composed.ts'
import { readTool, writeTool } from '../../kit/tools.ts'
import { place } from '../store/store-fixture.ts'
import { why } from './rail-fixture.ts'

/** Words that no rule of redaction knows for secrets. */
const [word, other] = ['sonnenaufgang', 'mondschein']

type Say = (word: string, ctx: ToolContext<'taken' | 'later'>) => unknown

/** `words.set`, which says the word in its preview or in its run. */
const setting = (say: { readonly preview?: Say; readonly run?: Say }) =>
  writeTool({
    name: 'words.set',
    secrets: { arguments: ['/word'] },
    failures: {
      taken: { effect: 'none', guidance: 'Take another.' },
      later: { effect: 'unknown', guidance: 'Look at it.' },
    },
    input: z.strictObject({ word: z.string() }),
    output: z.looseObject({ ok: z.boolean() }),
    preview: async (given, ctx) =>
      ((await say.preview?.(given.word, ctx)) as undefined) ?? {
        title: 'Set',
        summary: 'Sets it.',
        confirmLabel: 'Set',
      },
    run: async (given, ctx) => ((await say.run?.(given.word, ctx)) as undefined) ?? { ok: true },
  })

/** Where nobody may find a word: what the server has kept, and what it has said. `ask` calls a tool. */
async function watched(
  parts: Pick<ComposeOptions, 'tools' | 'middleware'>,
  work: (ask: (tool: string, args: object) => ReturnType<typeof call>) => Promise<unknown>,
): Promise<string> {
  const file = join(place(), 'log.db')
  const said: string[] = []
  const stderr = vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0)
  try {
    const { store, ...server } = await composed({ file, ...parts })
    await work((tool, args) => call(server.parts.engine, requestOf(tool, { rationale: why, ...args })))
    const { calls } = await store.activity.page({ filter: {}, limit: 20 })
    const stories = await Promise.all(calls.map(({ id }) => store.activity.story(id)))
    const files = [file, `${file}-wal`].filter(existsSync).map((path) => readFileSync(path, 'latin1'))
    return [JSON.stringify([calls, stories]), ...files, ...said].join('\n')
  } finally {
    stderr.mockRestore()
  }
}

const throws: Say = (given) => {
  throw Object.assign(new Error(`constraint failed: word=${given}`), { detail: `(word)=(${given})` })
}
const inRun: Middleware = async ({ stage, input }, next) => {
  await next()
  if (stage === 'run') throw new Error(`of a middleware: ${JSON.stringify(input)}`)
}
const before: Middleware = ({ input, refuse }) => refuse(`Not ${(input as { word: string }).word}.`, 'Ask again.')

const places: readonly (readonly [where: string, say: Parameters<typeof setting>[0], middleware: Middleware[]])[] = [
  [
    'in an event',
    { run: (given, ctx) => ctx.audit('word.set', { word: given, note: `now ${given}`, at: [given] }) },
    [],
  ],
  ['in a declared failure', { preview: (given, ctx) => ctx.fail('taken', `The word ${given} is taken.`) }, []],
  ['in a failure of unknown effect', { run: (given, ctx) => ctx.fail('later', `${given} may be set.`) }, []],
  ['in a failure that nobody declared', { run: (given, ctx) => ctx.fail(`x ${given}` as 'taken', `No ${given}.`) }, []],
  ['in an exception of a preview', { preview: throws }, []],
  ['in an exception of a run', { run: throws }, []],
  ['in a result', { run: (given) => ({ ok: true, [given]: given }) }, []],
  ['in what a program ended with', { run: (given, ctx) => conclude(given, ctx) }, []],
  ['in an exception of a middleware', {}, [inRun]],
  ['in what a middleware refuses with', {}, [before]],
]

const conclude: Say = (given, ctx) =>
  ctx.conclude({ ended: 'failed', error: { type: 'unknown', rule: 'host.unknown', unexplained: `no ${given}` } })

test.each(places)('a marked argument is not kept %s', async (_, say, middleware) => {
  const kept = await watched({ tools: [setting(say)], middleware }, async (ask) => {
    const shown = await ask('words_set', { word })
    if (shown.planId !== undefined) await ask('words_set', { word, ticket: shown.planId, preview: false })
  })
  expect(kept).toContain('[redacted]')
  expect(kept).not.toContain(word)
})

const boom = (given: unknown): never => {
  throw Object.assign(new Error(`boom ${JSON.stringify(given)}`), { code: String(given) })
}

test.each([
  ['of a write', 'words_set', {}],
  ['of an apply', 'words_set', { ticket: 'none', preview: false }],
  ['of a read', 'words_get', {}],
])('nor where the input schema %s throws it', async (_, name, more) => {
  const input = z.strictObject({ word: z.string().refine(boom) })
  const secrets = { arguments: ['/word'] }
  const tools = [
    writeTool({ name: 'words.set', secrets, input, output: z.looseObject({}), run: () => ({}) }),
    readTool({ name: 'words.get', secrets, input, output: z.looseObject({}), run: () => ({}) }),
  ]
  const kept = await watched({ tools }, async (ask) => {
    const answer = await ask(name, { word, ...more })
    expect(answer.outcome).toBe('refused')
    // Whatever else may be sent in its place.
    for (const odd of [{ deep: [word] }, [word], 4711, null]) await ask(name, { word: odd, ...more })
  })
  expect(kept).toContain('boom')
  expect(kept).not.toContain(word)
})

test('nor where the input schema of a step of a bundle throws it', async () => {
  const input = z.strictObject({ word: z.string().refine(boom) })
  const secrets = { arguments: ['/word'] }
  const tool = writeTool({ name: 'words.set', secrets, input, output: z.looseObject({}), run: () => ({}) })
  const kept = await watched({ tools: [tool] }, async (ask) => {
    const plans = [word, other].map((each) => ({ tool: 'words_set', arguments: { word: each } }))
    await ask('apply_bundle', { plans, title: 'Both' })
  })
  expect(kept).toContain('apply_bundle')
  expect(kept).not.toContain(word)
  expect(kept).not.toContain(other)
})

test('nor in the row of a bundle, which says what came of its steps', async () => {
  const tool = setting({
    run: (given, ctx) => (given === other ? undefined : ctx.fail('taken', `The word ${given} is taken.`)),
  })
  const kept = await watched({ tools: [tool] }, async (ask) => {
    const plans = [other, word].map((each) => ({ tool: 'words_set', arguments: { word: each } }))
    const both = { plans, title: 'Both' }
    const shown = await ask('apply_bundle', both)
    const applied = await ask('apply_bundle', { ...both, ticket: shown.card?.plan?.ticket, preview: false })
    expect(JSON.stringify(applied.result)).toContain(`The word ${word} is taken.`)
  })
  expect(kept).toContain('is taken.')
  expect(kept).not.toContain(word)
  expect(kept).not.toContain(other)
})

test('the agent that sent it reads what the tool says of it', async () => {
  const tool = setting({ preview: (given, ctx) => ctx.fail('taken', `The word ${given} is taken.`) })
  await watched({ tools: [tool] }, async (ask) => {
    const answer = await ask('words_set', { word })
    expect(answer).toMatchObject({ outcome: 'failed', guidance: { message: `The word ${word} is taken.` } })
    expect(JSON.stringify(answer.card)).toContain(word)
  })
})
