// Somebody else's server behind Countersign, in every host that is known: the same table as for our own demo. The server
// is the official one for files, wrapped under its own tool names and behind a gateway's doors.
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
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
import { gatewayFile, officialServer, realPlace } from '../journeys/gateway/reach.ts'
import { binary, environment } from '../journeys/processes.ts'
import { casesOf } from '../full.ts'
import { sharedBrowser } from './browser.ts'

const folder = realPlace()
const made = join(folder, 'made')
const files = officialServer('filesystem', [folder])

const behind = (...args: readonly string[]): Target => ({
  kind: 'command',
  command: process.execPath,
  args: [...binary, ...args],
  env: environment(),
})

const targets = {
  wrap: () =>
    behind('wrap', '--db', ':memory:', '--', String(files['command']), ...(files['args'] as readonly string[])),
  gateway: () => behind('gateway', '--db', ':memory:', '--config', gatewayFile({ files })),
} as const
type Way = keyof typeof targets

/** Creates a folder: medium, so that a plan's id is proof enough where there is no card. */
const create = { path: made }
/** Moves it: high, so that nothing but a card or an approver will do. */
const move = { source: made, destination: join(folder, 'moved') }

const through = (way: Way, tool: string, operation: 'write' | 'destructive', args: object): CheckedCall =>
  way === 'wrap'
    ? { tool, args: { ...args } }
    : {
        tool: `call_tool_${operation}`,
        args: {
          name: `files:${tool}`,
          args_json: JSON.stringify(args),
          intent: { operation_type: operation, reason: 'A check of this server asks for it.' },
        },
      }

let browser: Browser
beforeAll(async () => {
  mkdirSync(made)
  browser = await sharedBrowser()
})

const check = (way: Way, call: CheckedCall, journeys: readonly JourneyName[]): Promise<Report> =>
  checkServer({ target: targets[way](), browser, calls: [call], profiles: profilesOf[way], journeys })

/** Whether it creates or changes has as little to do with the way: each is asked of one of them, of both in full runs. */
const creating = casesOf(['wrap', 'gateway'] as const, String, ['wrap'])
const changing = casesOf(['wrap', 'gateway'] as const, String, ['gateway'])

/** Profiles by how a journey ended in them. */
const endsOf = (report: Report, journey: JourneyName): Record<string, string[]> => {
  const ends: Record<string, string[]> = {}
  for (const row of report.rows) if (row.journey === journey) (ends[row.verdict] ??= []).push(row.profile)
  return ends
}

const cardless = ['no-meta', 'structured-only', 'content-only', 'no-apps']
/**
 * For each way one host whose card signs, and one of the two kinds that have none. What a host does with a view has nothing
 * to do with the way to the server: all four stand in the table of our own demo.
 */
const profilesOf: Readonly<Record<Way, readonly HostProfile[]>> = {
  wrap: casesOf(hostProfiles, ({ name }) => name, ['turn', 'no-apps']),
  gateway: casesOf(hostProfiles, ({ name }) => name, ['prefill', 'no-meta']),
}
const namesOf = (some: readonly HostProfile[]): string[] => some.map(({ name }) => name)
const long = 300_000

const withoutCard = (way: Way): string[] => namesOf(profilesOf[way]).filter((name) => cardless.includes(name))
const withCard = (way: Way): string[] => namesOf(profilesOf[way]).filter((name) => !cardless.includes(name))

describe('a server of somebody else in every host', () => {
  test.each(creating)(
    'behind a %s: what only creates is signed on the card, and where there is none, by a yes in the chat',
    async (way) => {
      const report = await check(way, through(way, 'create_directory', 'write', create), ['cancel', 'confirm'])
      expect(report.ok, formatReport(report)).toBe(true)
      const ends = { card: withCard(way), chat: withoutCard(way) }
      expect(endsOf(report, 'confirm')).toEqual(ends)
      expect(endsOf(report, 'cancel')).toEqual(ends)
    },
    long,
  )

  test.each(changing)(
    'behind a %s: what changes is signed on the card, and where there is none, by an approver',
    async (way) => {
      const report = await check(way, through(way, 'move_file', 'destructive', move), ['cancel'])
      expect(report.ok, formatReport(report)).toBe(true)
      expect(endsOf(report, 'cancel')['card']).toEqual(withCard(way))
      expect(existsSync(made)).toBe(true)
    },
    long,
  )
})
