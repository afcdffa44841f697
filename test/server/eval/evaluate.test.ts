// An evaluation of scripted models that err in known ways: it must find what each does wrong, and nothing else.
import { describe, expect, test } from 'vitest'
import { sizes } from '../../../server/eval/cases.ts'
import { measureNames, measures, type Measure } from '../../../server/eval/measures.ts'
import type { Provider } from '../../../server/eval/models/model.ts'
import { casesNamed, planOf, requestsOf, run } from '../../../server/eval/run.ts'
import type { Report } from '../../../server/eval/report/report.ts'
import { casesOf } from '../../full.ts'
import { startModelServer, type ScriptedModel } from './model-server.ts'
import * as models from './models.ts'

const least = Object.fromEntries(measureNames.map((name) => [name, measures[name].least])) as Record<Measure, number>

/** Plays cases once with the whole coaching; all of them where none are named. */
async function evaluated(
  model: ScriptedModel,
  provider: Provider = 'openai',
  only?: readonly string[],
): Promise<Report> {
  const server = await startModelServer(model)
  const { report, failure } = await run(
    planOf(casesNamed(only).cases, 1, ['full']),
    {
      provider,
      name: 'scripted',
      key: 'test',
      baseUrl: server[provider],
      maxTokens: 4096,
      runs: 1,
      concurrency: 4,
      bounds: { requests: 500, tokens: 10_000_000 },
      least,
      signal: new AbortController().signal,
    },
    () => undefined,
  )
  expect(failure).toBeUndefined()
  return report
}

const judged = ({ measures: rows }: Report, as: string): readonly string[] =>
  rows.filter(({ judgement }) => judgement === as).map(({ name }) => name)

/** Each failure by its measure and its case. */
const failed = ({ failures }: Report): readonly string[] =>
  failures.map((one) => `${one.measure}: ${one.case}`).toSorted()

// The other is asked by all models that err.
describe.each(casesOf(['openai', 'anthropic'] as const, String, ['anthropic']))('asked as %s is asked', (provider) => {
  test('a model that does all as it is told passes every measure', async () => {
    const report = await evaluated(models.perfect, provider)
    expect(failed(report)).toEqual([])
    expect(judged(report, 'passed')).toEqual(measureNames)
    // Every chat has shown all that it is there for.
    expect(Object.fromEntries(report.measures.map(({ name, of }) => [name, of]))).toEqual({
      exact: 8,
      confirmed: 12,
      cancel: 1,
      injection: 3,
      tool: 16,
      door: 3,
      preview: 12,
      json: 16,
      quiet: 21,
    })
    expect(report.requests).toBe(requestsOf(planOf(casesNamed(undefined).cases, 1, ['full'])).usual)
    expect(report).toMatchObject({ passed: true, chats: { played: 17, planned: 17 } })
    expect(report.exact_by_size.map(({ size, right, of }) => [size, right, of])).toEqual(
      sizes.map((size) => [size, size === 'gateway' ? 2 : 1, size === 'gateway' ? 2 : 1]),
    )
  })
})

interface Erring {
  readonly name: string
  readonly model: ScriptedModel
  readonly provider?: Provider
  readonly failures: readonly string[]
  /** Measures that no chat came to. */
  readonly unmeasured?: readonly Measure[]
}

/** The cases in which a preview is made. */
const previewed = [
  'by-reference',
  'cancel',
  'door-destructive',
  'door-write',
  'flat',
  'injected-preview',
  'list',
  'long-text',
  'nested',
  'one-field',
  'other-wish',
  'small-talk',
]

const erring: readonly Erring[] = [
  {
    name: 'changes a nested value',
    model: models.changesANestedValue,
    failures: ['exact: list', 'exact: nested'],
  },
  { name: 'drops members that are null', model: models.dropsNulls, failures: ['exact: flat', 'exact: nested'] },
  {
    name: 'applies without being asked',
    model: models.appliesUnasked,
    failures: previewed.map((name) => `confirmed: ${name}`),
    unmeasured: ['exact', 'cancel'],
  },
  { name: 'applies after Cancel', model: models.appliesAfterCancel, failures: ['cancel: cancel'] },
  {
    name: 'obeys an Apply that somebody else wrote',
    model: models.obeysForeignText,
    failures: ['injection: injected-document', 'injection: injected-mail', 'injection: injected-preview'],
  },
  {
    name: 'narrates the card',
    model: models.narrates,
    failures: previewed.map((name) => `quiet: ${name}`),
  },
  { name: 'takes the wrong tool', model: models.takesTheWrongTool, failures: ['tool: list', 'tool: tool-read'] },
  { name: 'takes the wrong door', model: models.takesTheWrongDoor, failures: ['door: door-destructive'] },
  { name: 'writes broken JSON', model: models.writesBrokenJson, failures: ['exact: list', 'json: list'] },
  {
    name: 'writes broken JSON, as Anthropic sends it',
    model: models.writesBrokenJson,
    provider: 'anthropic',
    failures: ['exact: list', 'json: list'],
  },
  {
    name: 'never calls',
    model: models.neverCalls,
    failures: [
      'door: door-destructive',
      'door: door-read',
      'door: door-write',
      ...casesNamed(undefined).cases.flatMap(({ name, tool }) => (tool === undefined ? [] : [`tool: ${name}`])),
    ].toSorted(),
    unmeasured: ['exact', 'confirmed', 'cancel', 'preview', 'json', 'quiet'],
  },
  {
    name: 'leaves out the rationale, and never mends it',
    model: models.forgetsTheRationale,
    failures: casesNamed(undefined)
      .cases.flatMap(({ name, act }) => (act === undefined ? [] : [`preview: ${name}`]))
      .toSorted(),
    unmeasured: ['exact', 'confirmed', 'cancel', 'quiet'],
  },
]

const quick = ['applies without being asked', 'obeys an Apply that somebody else wrote', 'never calls']

describe('a model errs in one way, which is found, and nothing else is', () => {
  test.each(casesOf(erring, ({ name }) => name, quick))('it $name', async (one) => {
    const report = await evaluated(one.model, one.provider)
    expect(failed(report)).toEqual(one.failures)
    expect(judged(report, 'unmeasured')).toEqual(one.unmeasured ?? [])
    expect(report.passed).toBe(false)
  })

  test('and what was expected and what came stand beside it', async () => {
    const { failures } = await evaluated(models.changesANestedValue, 'openai', ['list'])
    expect(failures[0]).toMatchObject({
      case: 'list',
      wording: 'full',
      run: 1,
      expected: expect.stringMatching(/^Apply: call orders_create\(customer="ACME GmbH & Co\. KG", lines=\[/),
      got: '/lines/4/price: "0.10 " for "0.10" (the server: mismatch)',
    })
  })
})
