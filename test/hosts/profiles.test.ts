// Our own demo in every host that is known, as `countersign test-host` checks anybody's server. What is claimed here is
// the whole table: where a person signs in the card, where in the chat, and where only an approver can.
import type { Browser } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  checkServer,
  formatReport,
  hostProfiles,
  type CheckedCall,
  type HostProfile,
  type JourneyName,
  type Report,
  type Target,
} from '../../server/testing/index.ts'
import { freshDatabase } from '../journeys/at-end.ts'
import { binary, environment, fixture, startDemo } from '../journeys/processes.ts'
import { casesOf } from '../full.ts'
import { sharedBrowser } from './browser.ts'

const demo = (): Target => ({
  kind: 'command',
  command: process.execPath,
  args: [...binary, 'demo', '--stdio', '--trusted-host', '--db', ':memory:'],
  env: environment(),
})

const longPreview = (): Target => ({
  kind: 'command',
  command: process.execPath,
  args: fixture('long-preview-server'),
  env: environment(),
})

let browser: Browser
beforeAll(async () => {
  browser = await sharedBrowser()
})

const check = (
  call: CheckedCall,
  journeys: readonly JourneyName[],
  profiles: readonly HostProfile[],
  target = demo(),
): Promise<Report> => checkServer({ target, browser, calls: [call], profiles, journeys })

/** Leaves out ends that no profile has. */
const withoutEmpty = (ends: Record<string, readonly string[]>): Record<string, readonly string[]> =>
  Object.fromEntries(Object.entries(ends).filter(([, names]) => names.length > 0))

/** Profiles by how a journey ended in them. */
const endsOf = (report: Report, journey: JourneyName): Record<string, string[]> => {
  const ends: Record<string, string[]> = {}
  for (const row of report.rows) if (row.journey === journey) (ends[row.verdict] ??= []).push(row.profile)
  return ends
}

const cardless = ['no-meta', 'structured-only', 'content-only', 'no-apps']
const hosts = (names: readonly string[]): readonly HostProfile[] => casesOf(hostProfiles, ({ name }) => name, names)
/**
 * One host whose card signs and one of the two kinds that have none, another pair for each table: a host that starts a turn, and
 * one that fills its message box.
 */
const creating = hosts(['turn', 'no-apps'])
const changing = hosts(['prefill', 'no-meta'])
/** Those in which a changed value goes another way: after a refusal, and (in full runs) not at all. */
const revising = hosts(['refuse'])
/** Those in which the way to a signature differs: in a frame of fixed size, and (in full runs) without a card. */
const bundling = hosts(['fixed-size'])
/** Those of which a click's record is asked: one that keeps it, and one whose views call no tools. */
const recording = hosts(['turn', 'no-server-tools'])
/** Those in which a long preview reads differently: a frame that grows, one that does not, and messages gone astray. */
const reading = casesOf(
  hostProfiles.filter(({ name }) => ['turn', 'refuse', 'hang', 'fixed-size'].includes(name)),
  ({ name }) => name,
  ['fixed-size'],
)
const namesOf = (some: readonly HostProfile[]): string[] => some.map(({ name }) => name)
const withoutCard = (some: readonly HostProfile[]): string[] => namesOf(some).filter((name) => cardless.includes(name))
const withCard = (some: readonly HostProfile[]): string[] => namesOf(some).filter((name) => !cardless.includes(name))
const long = 300_000

describe('the demo in every host', () => {
  test(
    'an order is created by the card, and where the card cannot sign, by a yes in the chat',
    async () => {
      const lines = [{ sku: 'DESK-01', quantity: 2 }]
      // Every order is a new one, so all hosts may use the same server, by its address.
      const target = { kind: 'url', url: (await startDemo(freshDatabase())).mcp } as const
      const report = await check(
        { tool: 'orders_create', args: { customer: 'ACME', lines } },
        ['cancel', 'confirm'],
        creating,
        target,
      )
      expect(report.ok, formatReport(report)).toBe(true)
      const ends = { card: withCard(creating), chat: withoutCard(creating) }
      expect(endsOf(report, 'confirm')).toEqual(ends)
      expect(endsOf(report, 'cancel')).toEqual(ends)
    },
    long,
  )

  test(
    'a change is stale everywhere when somebody else was faster, and needs an approver where the card cannot sign',
    async () => {
      const call = { tool: 'orders_modify', args: { id: 'SO-1007', note: 'Ring at the back door' } }
      const report = await check(call, ['stale', 'confirm'], changing)
      expect(report.ok, formatReport(report)).toBe(true)
      expect(endsOf(report, 'confirm')).toEqual({ card: withCard(changing), approval: withoutCard(changing) })
      expect(endsOf(report, 'stale')['card']).toEqual(withCard(changing))
    },
    long,
  )

  test(
    'a value is changed on the card, and where the host passes nothing on to the server it says so',
    async () => {
      const lines = [{ sku: 'DESK-01', quantity: 2 }]
      const report = await check({ tool: 'orders_create', args: { customer: 'ACME', lines } }, ['revise'], revising)
      expect(report.ok, formatReport(report)).toBe(true)
      const changed = withCard(revising).filter((name) => name !== 'no-server-tools')
      const others = namesOf(revising).filter((name) => !changed.includes(name))
      expect(endsOf(report, 'revise')).toEqual(withoutEmpty({ card: changed, 'not offered': others }))
      for (const { profile, seen } of report.rows)
        if (changed.includes(profile)) expect(seen).toContain('Changed on the card')
    },
    long,
  )

  test(
    'several changes are signed as one in the card, which has to be opened step by step, and else by an approver',
    async () => {
      const lines = [{ sku: 'DESK-01', quantity: 2 }]
      const plans = [
        { tool: 'orders_create', arguments: { customer: 'ACME', lines } },
        { tool: 'orders_modify', arguments: { id: 'SO-1007', note: 'Ring at the back door' } },
      ]
      const args = { plans, title: 'A desk, and how to bring it' }
      const report = await check({ tool: 'apply_bundle', args }, ['cancel', 'confirm'], bundling)
      expect(report.ok, formatReport(report)).toBe(true)
      expect(endsOf(report, 'confirm')).toEqual(
        withoutEmpty({ card: withCard(bundling), approval: withoutCard(bundling) }),
      )
      for (const { journey, profile, seen } of report.rows)
        if (journey === 'confirm' && withCard([{ name: profile } as HostProfile]).length > 0)
          expect(seen).toContain('2 changes made')
    },
    long,
  )

  test(
    'a critical delete counts only where the card can record the click',
    async () => {
      const report = await check({ tool: 'orders_delete', args: { id: 'SO-1005' } }, ['confirm'], recording)
      expect(report.ok, formatReport(report)).toBe(true)
      const recorded = withCard(recording).filter((name) => name !== 'no-server-tools')
      const approval = namesOf(recording).filter((name) => !recorded.includes(name))
      expect(endsOf(report, 'confirm')).toEqual({ card: recorded, approval })
    },
    long,
  )
})

test(
  'a preview that takes reading is read before it is signed',
  async () => {
    const profiles = reading
    const calls = [{ tool: 'stock_move', args: { shelf: 'B-12' } }]
    const report = await checkServer({ target: longPreview(), browser, calls, profiles, journeys: ['confirm'] })
    expect(report.ok, formatReport(report)).toBe(true)
    expect(endsOf(report, 'confirm')).toEqual({ card: profiles.map(({ name }) => name) })
  },
  long,
)
