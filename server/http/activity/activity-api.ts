// What agents did, for programs that ask over the web: pages, one row with its story, a whole export, and a live stream.
// Operators only; the guard in front is the admin door's.
import { Hono, type Context, type MiddlewareHandler } from 'hono'
import { streamSSE } from 'hono/streaming'
import { fail, ok, type Result } from '../../errors/result.ts'
import type { FindTool } from '../../operators/sentence.ts'
import type { ActivityReader, ActivityFilter, Anchor, CallBrief, Place, TenantReport } from '../../store/store.ts'
import { exportCalls, exportFormats, type ExportFormat } from './activity-export.ts'
import { filterNames, parseFilter, type FilterFailure, type FilterName, type FilterTexts } from './activity-filter.ts'
import { refuseApi } from '../refusal.ts'
import { barsJson, listedJson, toldJson } from './activity-wire.ts'
import { sees, visibleTenant, type OperatorEnv } from '../operators/operator.ts'
import { storyOf, type StoryStore } from './story-api.ts'

export interface ActivityApiOptions {
  readonly activity: ActivityReader
  /** Heads that have left the database; none where they are not kept. */
  readonly anchors?: (() => Promise<readonly Anchor[]>) | undefined
  /** What people decided about it. */
  readonly approvals: StoryStore['approvals']
  readonly plans: StoryStore['plans']
  /** The tool of a row, for the words of its contract. */
  readonly find: FindTool
  /** Lets operators through and nobody else. */
  readonly guard: MiddlewareHandler<OperatorEnv>
  /** Epoch milliseconds; the system's clock when absent. */
  readonly now?: () => number
}

const DEFAULT_LIMIT = 50
const MOST = 500
const POLL_MS = 500
/** A stream ends after a while and is asked for again: who may not listen any more, or has signed out, then does not. */
const STREAM_MS = 5 * 60_000
const HEARTBEAT_MS = 15_000

/** Routes below `/api/v1/activity`. */
export const createActivityApi = (options: ActivityApiOptions) => {
  const { activity, guard, now = Date.now } = options
  const checking = createChecks(activity, options.anchors)
  return new Hono<OperatorEnv>()
    .use(guard)
    .get('/', filtered(now, ['limit', 'cursor']), async (c) => {
      const limit = limitOf(c.req.query('limit'))
      const after = cursorOf(c.req.query('cursor'))
      if (!limit.ok) return badRequest(limit.failure)
      if (!after.ok) return badRequest(after.failure)
      const place = after.value === undefined ? {} : { after: after.value }
      const page = await activity.page({ filter: c.req.valid('query'), limit: limit.value, ...place })
      return c.json({
        activity: await listed(options, page.calls),
        next_cursor: page.next ? toCursor(page.next) : null,
      })
    })
    .get('/export', filtered(now, ['format']), (c) => {
      const format = c.req.query('format') ?? 'json'
      if (!isFormat(format)) return badRequest(oddChoice('format', format, exportFormats))
      return exported(activity, c.req.valid('query'), format)
    })
    .get('/histogram', filtered(now, []), async (c) => c.json(barsJson(await activity.histogram(c.req.valid('query')))))
    .get('/stream', filtered(now, []), async (c) => {
      const last = c.req.header('last-event-id')
      if (last !== undefined && !/^\d{1,16}$/.test(last)) return badRequest(notOurs('Last-Event-ID', last))
      return follow(c, options, c.req.valid('query'), last === undefined ? await activity.newestChange() : Number(last))
    })
    .get('/chain', filtered(now, [], ['tenant']), async (c) => {
      const named = (c.req.query('tenant') ?? c.var.operator.tenant)?.trim()
      const tenants = named === undefined ? await tenantsIn(options) : [named]
      const checked_at = new Date(now()).toISOString()
      const chains: ReturnType<typeof chainView>[] = []
      for (const tenant of tenants)
        chains.push({ ...chainView(await checking(visibleTenant(c, tenant) ?? tenant)), tenant })
      return c.json({ checked_at, chains })
    })
    .get('/:id/story', async (c) => {
      const id = c.req.param('id')
      const story = await storyOf(options, id)
      return story === undefined || !sees(c.var.operator, story.tenant) ? notFound(id) : c.json(story)
    })
    .get('/:id', async (c) => {
      const id = c.req.param('id')
      const story = await activity.story(id)
      if (story[0] === undefined || !sees(c.var.operator, story[0].tenant)) return notFound(id)
      const call = story.find((each) => each.id === id)
      const calls = story.map((each) => toldJson(each, options.find, story))
      return c.json(call === undefined ? { story: calls } : { ...toldJson(call, options.find, story), story: calls })
    })
}

/** Rows as a list has them. */
async function listed({ activity, find }: Pick<ActivityApiOptions, 'activity' | 'find'>, calls: readonly CallBrief[]) {
  const [decisions, asked] = await Promise.all([
    activity.decisions([...new Set(calls.flatMap(({ approvalId }) => approvalId ?? []))]),
    activity.askedFor([...new Set(calls.flatMap(({ planId }) => planId ?? []))]),
  ])
  return calls.map((call) => listedJson(call, find, { decisions, asked }))
}

/** Those that have calls, and those of which nothing but an anchor is left. */
async function tenantsIn({ activity, anchors }: ActivityApiOptions): Promise<readonly string[]> {
  const anchored = (await anchors?.()) ?? []
  return [...new Set([...(await activity.figures.tenants(MOST)), ...anchored.map(({ tenant }) => tenant)])]
}

/** Two who ask at once are told by one walk along the chain. */
function createChecks(
  { verifyOne }: Pick<ActivityReader, 'verifyOne'>,
  anchors: ActivityApiOptions['anchors'] = () => Promise.resolve([]),
): (tenant: string) => Promise<TenantReport> {
  const running = new Map<string, Promise<TenantReport>>()
  return (tenant) => {
    const known =
      running.get(tenant) ??
      // The anchors first: what is anchored meanwhile is in the chain by then.
      anchors()
        .then((read) => verifyOne(tenant, read))
        .finally(() => running.delete(tenant))
    running.set(tenant, known)
    return known
  }
}

/** How sure the record of a tenant is, as programs and pages read it. */
const chainView = ({ tenant, entries, cut, anchored, problem }: TenantReport) => ({
  tenant,
  /** `not_anchored`: its entries follow from each other, and nothing outside says that its end is there. */
  state:
    problem !== undefined
      ? ('broken' as const)
      : anchored === undefined
        ? ('not_anchored' as const)
        : ('whole' as const),
  /** The newest entry that an anchor outside the database confirms. */
  anchored: anchored ?? null,
  /** Number of the newest entry that was looked at. */
  entries,
  /** Entries that retention has cut away, under a signature. */
  cut,
  problem: problem === undefined ? null : { message: problem.message, id: problem.id ?? null },
})

const isFormat = (text: string): text is ExportFormat => exportFormats.includes(text as ExportFormat)

/** Reads the query's filters, within what the operator may see; `more` are names that the handler reads itself. */
const filtered =
  <More extends string>(
    now: () => number,
    more: readonly More[],
    names: readonly FilterName[] = filterNames,
  ): MiddlewareHandler<
    OperatorEnv,
    string,
    { in: { query: FilterTexts & { readonly [Name in More]?: string | undefined } }; out: { query: ActivityFilter } }
  > =>
  async (c, next) => {
    const filter = filterOf(c, now(), [...names, ...more])
    if (!filter.ok) return badRequest(filter.failure)
    c.req.addValidatedData('query', filter.value)
    return next()
  }

function filterOf(
  c: Context<OperatorEnv>,
  now: number,
  known: readonly string[],
): Result<ActivityFilter, FilterFailure> {
  const given = c.req.queries()
  for (const [name, values] of Object.entries(given)) {
    if (!known.includes(name))
      return fail({
        filter: name,
        message: `There is no filter ${JSON.stringify(name.slice(0, 100))}.`,
        next: `Known are: ${known.join(', ')}.`,
      })
    if (values.length > 1)
      return fail({ filter: name, message: `The filter ${name} came twice.`, next: 'Separate values by commas.' })
  }
  const texts = Object.fromEntries(
    filterNames.map((name): [FilterName, string | undefined] => [name, given[name]?.[0]]),
  )
  const filter = parseFilter(texts, now)
  return filter.ok ? ok({ ...filter.value, tenants: seen(c, filter.value.tenants ?? []) }) : filter
}

/** The tenants that a question is limited to. Asked for another one's, it finds what there is of nobody. */
function seen(c: Context<OperatorEnv>, asked: readonly string[]): readonly string[] {
  if (asked.length === 0) return [visibleTenant(c)].filter((tenant) => tenant !== undefined)
  return asked.map((tenant) => visibleTenant(c, tenant) ?? tenant)
}

function limitOf(text: string | undefined): Result<number, FilterFailure> {
  if (text === undefined) return ok(DEFAULT_LIMIT)
  const limit = Number(text)
  if (/^\d{1,4}$/.test(text) && limit >= 1 && limit <= MOST) return ok(limit)
  const message = `The limit cannot be ${JSON.stringify(text.slice(0, 100))}.`
  return fail({ filter: 'limit', message, next: `Use a number from 1 to ${MOST}.` })
}

const toCursor = ({ at, position }: Place): string => Buffer.from(JSON.stringify([at, position])).toString('base64url')

function cursorOf(text: string | undefined): Result<Place | undefined, FilterFailure> {
  if (text === undefined) return ok(undefined)
  const found = /^\[(\d{1,16}),(\d{1,16})\]$/.exec(Buffer.from(text, 'base64url').toString())
  if (found === null) return fail(notOurs('cursor', text))
  return ok({ at: Number(found[1]), position: Number(found[2]) })
}

const notOurs = (filter: string, text: string): FilterFailure => ({
  filter,
  message: `The ${filter} ${JSON.stringify(text.slice(0, 100))} is not one that this server gave out.`,
  next: 'Leave it out to start from the beginning.',
})

const oddChoice = (filter: string, text: string, known: readonly string[]): FilterFailure => ({
  filter,
  message: `The ${filter} cannot be ${JSON.stringify(text.slice(0, 100))}.`,
  next: `Known are: ${known.join(', ')}.`,
})

const badRequest = ({ filter, message, next }: FilterFailure) =>
  refuseApi(400, { code: 'bad-filter', filter, message, next })

const notFound = (id: string) =>
  refuseApi(404, {
    code: 'not-found',
    message: `There is no activity of ${JSON.stringify(id.slice(0, 100))}.`,
    next: 'Use the id of a row, a plan or an approval; retention may have removed it.',
  })

/** A body that is pulled: a slow reader slows the reading of the database, and one that leaves ends it. */
function exported(activity: ActivityReader, filter: ActivityFilter, format: ExportFormat): Response {
  const encoder = new TextEncoder()
  const pieces = exportCalls(activity, filter, format)
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const piece = await pieces.next()
      if (piece.done === true) controller.close()
      else controller.enqueue(encoder.encode(piece.value))
    },
    cancel: async () => void (await pieces.return(undefined)),
  })
  return new Response(body, {
    headers: {
      'content-type': format === 'csv' ? 'text/csv; charset=utf-8; header=present' : 'application/json',
      'content-disposition': `attachment; filename="activity.${format}"`,
      'cache-control': 'no-store',
    },
  })
}

/** Other processes write too, so the database is asked, not this process. */
function follow(
  c: Context,
  options: Pick<ActivityApiOptions, 'activity' | 'find'>,
  filter: ActivityFilter,
  from: number,
): Response {
  return streamSSE(c, async (stream) => {
    let change = from
    let quietMs = 0
    await stream.write(': open\n\n')
    const ends = performance.now() + STREAM_MS
    while (!stream.aborted && !stream.closed && performance.now() < ends) {
      const news = await options.activity.changesSince({ change, filter, limit: 200 })
      const rows = await listed(options, news.calls)
      for (const [at, row] of rows.entries())
        await stream.writeSSE({ id: String(news.calls[at]?.change), event: 'activity', data: JSON.stringify(row) })
      const moved = news.change !== change
      change = news.change
      quietMs = news.calls.length > 0 ? 0 : quietMs + POLL_MS
      if (quietMs >= HEARTBEAT_MS) {
        quietMs = 0
        await stream.write(': still here\n\n')
      }
      if (!moved) await stream.sleep(POLL_MS)
    }
  })
}
