// What does a signature cost? Eight calls take turns in one run, so that whatever else the machine does hits all of them
// alike; then two processes share one database, because that is where a claim must hold.
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Aim } from './aims.ts'
import { median, ms, quantile, table, times } from './figures.ts'
import { noteCount, noteId } from './notes.ts'
import { start, withFolder } from './processes.ts'
import { openClient, type RawClient } from './raw-client.ts'

/** How fast a process is depends on where it came to lie in memory and on which core: by a quarter, for as long as it runs. */
const starts = 4
const warmUp = 400
const rounds = 500
/** A slow disk gets fewer rounds rather than a longer wait. */
const longestMs = 25_000
const plansPerProcess = 300
const connections = 4
const rationale = 'The benchmark asks for it.'

const rows = {
  bare: 'bare SDK tool',
  thrice: 'with 3 commits',
  recorded: 'with its record',
  kept: 'with it in 1 commit',
  low: 'low-risk call',
  preview: 'preview',
  apply: 'apply',
  inside: 'apply, transactional',
} as const
type Row = keyof typeof rows
const rowNames = Object.keys(rows) as Row[]

interface ToolResult {
  readonly structuredContent?: { readonly status?: string; readonly version?: number }
  readonly _meta?: { readonly 'countersign/card'?: { readonly plan?: { readonly ticket: string } } }
}

const resultOf = (body: string): ToolResult => (JSON.parse(body) as { readonly result?: ToolResult }).result ?? {}

/** Measures and prints. */
export function rail(): Promise<readonly Aim[]> {
  return withFolder(async (folder) => {
    console.log('rail: one call at a time, over Streamable HTTP on the loopback, raw client, connection kept alive')
    console.log(`  a write of 4 KB and its fsync take ${ms(fsyncMedian(folder))} (p50) in ${folder}`)
    console.log()
    const taken = await takeTurns(folder)
    printTurns(taken)
    console.log()
    console.log(`two processes on one database file, ${connections} connections to each`)
    const bare = await bareTogether(folder, 'notes_edit')
    const thrice = await bareTogether(folder, 'notes_edit_thrice')
    const recorded = await bareTogether(folder, 'notes_edit_recorded')
    const kept = await bareTogether(folder, 'notes_keep_recorded')
    const ours = await appliesTogether(folder, 'notes_edit')
    const inside = await appliesTogether(folder, 'notes_keep')
    console.log(`  bare SDK tool   ${perSecond(bare)} calls a second, 1 durable commit each`)
    console.log(`  with 3 commits  ${perSecond(thrice)} a second, of one row each`)
    console.log(`  with its record ${perSecond(recorded)} a second, 3 durable commits each, by hand`)
    console.log(`  in 1 commit     ${perSecond(kept)} a second, by hand`)
    console.log(`  apply           ${perSecond(ours)} a second, 3 durable commits each`)
    console.log(`  transactional   ${perSecond(inside)} a second, 1 durable commit or less: those that wait share one`)
    const toBare = (row: Row): number => median(taken[row]) / median(taken.bare)
    const ofBare = { unit: 'times', peer: 1 } as const
    return [
      { what: 'preview, p50 to a bare tool', aim: 1, measured: toBare('preview'), ...ofBare },
      {
        what: 'apply, tool with a database of its own, p50 to a bare tool',
        aim: 1.4,
        measured: toBare('apply'),
        unit: 'times',
        peer: toBare('thrice'),
        note: `peer: the bare tool with the two further durable commits, of one row each; with the rows that an apply leaves ${times(toBare('recorded')).trim()}`,
      },
      {
        what: 'apply, tool in the database of its plan, p50 to a bare tool',
        aim: 1,
        measured: toBare('inside'),
        unit: 'times',
        peer: toBare('kept'),
        note: 'peer: the bare tool with the rows that an apply leaves, by hand, in one durable commit',
      },
      {
        what: 'applies of two processes on one file, tool with a database of its own, to bare calls',
        aim: 0.8,
        atLeast: true,
        measured: ours / bare,
        unit: 'times',
        peer: thrice / bare,
        note: `peer: the bare tool with two further durable commits, of one row each; with the rows that an apply leaves ${times(recorded / bare).trim()}`,
      },
      {
        what: 'applies of two processes on one file, tool in the database of its plan, to bare calls',
        aim: 0.8,
        atLeast: true,
        measured: inside / bare,
        unit: 'times',
        peer: kept / bare,
        note: 'peer: the same rows by hand, in one durable commit each',
      },
    ]
  })
}

async function takeTurns(folder: string): Promise<Record<Row, number[]>> {
  const taken = Object.fromEntries(rowNames.map((row) => [row, [] as number[]])) as Record<Row, number[]>
  for (let number = 0; number < starts; number++) await takeTurnsOnce(join(folder, String(number)), taken)
  return taken
}

/** The same with processes that are started for it; `taken` gets what they took. */
async function takeTurnsOnce(place: string, taken: Record<Row, number[]>): Promise<void> {
  const [bare, countersign] = await Promise.all([
    start('serve-bare.ts', `${place}-bare.db`),
    start('serve-countersign.ts', `${place}-countersign.db`),
  ])
  const [plain, signed] = await Promise.all([openClient(bare.url), openClient(countersign.url)])
  try {
    const end = performance.now() + longestMs
    for (let round = 0; round < warmUp + rounds && performance.now() < end; round++) {
      const args = { id: noteId(round), text: `Text of round ${round}.` }
      const measured = await oneRound(plain, signed, args)
      if (round < warmUp) continue
      for (const row of rowNames) taken[row].push(measured[row])
    }
  } finally {
    plain.close()
    signed.close()
    await Promise.all([bare.stop(), countersign.stop()])
  }
}

/** All that is measured of one note, in an order of its own: who follows a call of the other process finds the caches cold. */
async function oneRound(
  plain: RawClient,
  signed: RawClient,
  args: Readonly<Record<string, unknown>>,
): Promise<Record<Row, number>> {
  const taken: Partial<Record<Row, number>> = {}
  const bare = (row: Row, tool: string) => async (): Promise<void> => {
    taken[row] = await edited(plain, tool, args)
  }
  const onRail = (tool: string, previewRow: Row | undefined, applyRow: Row) => async (): Promise<void> => {
    const preview = await signed.call(tool, { ...args, rationale })
    const ticket = ticketOf(preview.body)
    const apply = await signed.call(tool, { ...args, rationale, ticket, preview: false })
    expectApplied(apply.body)
    if (previewRow !== undefined) taken[previewRow] = preview.ms
    taken[applyRow] = apply.ms
  }
  const turns = [
    bare('bare', 'notes_edit'),
    bare('thrice', 'notes_edit_thrice'),
    bare('recorded', 'notes_edit_recorded'),
    bare('kept', 'notes_keep_recorded'),
    async () => void (taken.low = await edited(signed, 'notes_touch', { ...args, rationale })),
    onRail('notes_edit', 'preview', 'apply'),
    onRail('notes_keep', undefined, 'inside'),
  ]
  while (turns.length > 0) await turns.splice(Math.floor(Math.random() * turns.length), 1)[0]?.()
  return taken as Record<Row, number>
}

/** Milliseconds of a call that answers with the note. */
async function edited(client: RawClient, tool: string, args: Readonly<Record<string, unknown>>): Promise<number> {
  const { ms, body } = await client.call(tool, args)
  if (resultOf(body).structuredContent?.version === undefined) throw unexpected(body)
  return ms
}

function ticketOf(body: string): string {
  const ticket = resultOf(body)._meta?.['countersign/card']?.plan?.ticket
  if (ticket === undefined) throw unexpected(body)
  return ticket
}

function expectApplied(body: string): void {
  if (resultOf(body).structuredContent?.status !== 'applied') throw unexpected(body)
}

/** A fast refusal is not a fast apply: a run in which something else happened says nothing. */
const unexpected = (body: string): Error => new Error(`The server answered something else: ${body.slice(0, 500)}`)

function printTurns(taken: Record<Row, number[]>): void {
  const base = { p50: median(taken.bare), p99: quantile(taken.bare, 0.99) }
  const line = (row: Row): string[] => {
    const p50 = median(taken[row])
    const p99 = quantile(taken[row], 0.99)
    return [rows[row], ms(p50), times(p50 / base.p50), ms(p99), times(p99 / base.p99)]
  }
  console.log(table([['', 'p50', 'to bare', 'p99', 'to bare'], ...rowNames.map(line)]))
  console.log()
  console.log(
    `  ${taken.bare.length} rounds of ${starts} starts, after ${warmUp} to warm up each, the rows in any order; SQLite, WAL, synchronous=FULL in all:`,
  )
  console.log(
    "  bare SDK tool   McpServer, kept session, Hono as in the SDK's example; one row read, one written, 1 durable commit",
  )
  console.log('  with 3 commits  the same tool, with the two further durable commits that an apply promises around it')
  console.log(
    '  with its record      the rows of a plan and of its call in the first and the last of them, by hand: no engine',
  )
  console.log('  with it in 1 commit  the same rows in the commit of the effect, by hand')
  console.log('  low-risk call   the same handler, through the engine but off the rail, 1 durable commit')
  console.log(
    '  preview         two rows read (basis, preview), the sealed plan stored, 1 commit that need not be durable',
  )
  console.log('  apply           the plan claimed, the same handler, its outcome recorded, 3 durable commits')
  console.log('  transactional   the same handler, its outcome and its row in 1 durable commit')
}

async function appliesTogether(folder: string, tool: 'notes_edit' | 'notes_keep'): Promise<number> {
  return inTwoProcesses('serve-countersign.ts', join(folder, `together-${tool}.db`), async (clients) => {
    const plans = await Promise.all(
      clients.map((client, at) =>
        eachIndex(async (index) => {
          const args = { id: noteId(at * (noteCount / 2) + index), text: 'Both at once.', rationale }
          return { ...args, ticket: ticketOf((await client.call(tool, args)).body), preview: false }
        }),
      ),
    )
    return () =>
      clients.map((client, at) =>
        eachIndex(async (index) => expectApplied((await client.call(tool, plans[at]?.[index] ?? {})).body)),
      )
  })
}

async function bareTogether(folder: string, tool: string): Promise<number> {
  return inTwoProcesses('serve-bare.ts', join(folder, `bare-together-${tool}.db`), async (clients) => {
    return () =>
      clients.map((client, at) =>
        eachIndex((index) => edited(client, tool, { id: noteId(at * (noteCount / 2) + index), text: 'Both at once.' })),
      )
  })
}

/** Calls a second of what `prepare` answers, from two processes that share a database. */
async function inTwoProcesses(
  program: Parameters<typeof start>[0],
  database: string,
  prepare: (clients: readonly RawClient[]) => Promise<() => readonly Promise<unknown>[]>,
): Promise<number> {
  const first = await start(program, database)
  const second = await start(program, database)
  const clients = await Promise.all([first, second].map(({ url }) => openClient(url, connections)))
  try {
    const work = await prepare(clients)
    const begun = performance.now()
    await Promise.all(work())
    return (clients.length * plansPerProcess * 1000) / (performance.now() - begun)
  } finally {
    for (const client of clients) client.close()
    await Promise.all([first.stop(), second.stop()])
  }
}

/** Takes every index once, as many at a time as there are connections. */
async function eachIndex<T>(work: (index: number) => Promise<T>): Promise<T[]> {
  const done: T[] = []
  let next = 0
  const lane = async (): Promise<void> => {
    while (next < plansPerProcess) {
      const index = next++
      done[index] = await work(index)
    }
  }
  await Promise.all(Array.from({ length: connections }, lane))
  return done
}

const perSecond = (value: number): string => String(Math.round(value)).padStart(6)

/** What the disk asks for durability, so that the commits above can be weighed. */
function fsyncMedian(folder: string): number {
  const file = openSync(join(folder, 'fsync'), 'w')
  const block = Buffer.alloc(4096)
  try {
    return median(
      Array.from({ length: 100 }, () => {
        const begun = performance.now()
        writeSync(file, block)
        fsyncSync(file)
        return performance.now() - begun
      }),
    )
  } finally {
    closeSync(file)
  }
}
