// Whether a call runs unasked is decided by a rating of tools that nobody here has written, so it is measured on tools
// that people have labelled, in two tables: by the rules alone, and by profiles with the rules for what they do not have.
//
// Tools are those of `test/profiles/recorded`, labelled by their profile, which somebody wrote from the documentation of
// the server; where there is none, by what the server itself says ("read-only" or not); and left out where neither does.
// More come from `--data=DIR` or COUNTERSIGN_RATING_DATA, a folder with `tools*.json`: [{server, name, description,
// inputSchema, annotations, label}], labelled by hand. `--silent` measures what is left when no server says anything.
//
// Labels: `read` changes nothing that lasts, and hands out no secret; `session` changes only what ends with its session (a
// page that is opened, a window, a recording), so that nobody has to be asked; `by-call` depends on its arguments; `write`
// changes something. Nothing in the rating is fitted to data, but people wrote its words with some servers before
// them: those are named below, and the others are summed by themselves.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { readProfile } from '../../server/gateway/profiles/read-profile.ts'
import { shapeDigest } from '../../server/gateway/profiles/definition-shape.ts'
import type { Profile } from '../../server/gateway/profiles/profile.schema.ts'
import type { ToolProfile } from '../../server/gateway/profiles/tool-profile.ts'
import { variants, type Hints } from '../../server/gateway/call-tools/call-with.ts'
import { possibleAssessments, type RiskQuestion } from '../../server/gateway/rating/assess.ts'
import { loadParsers, programArguments } from '../../server/gateway/rating/program-arguments.ts'
import type { Aim } from './aims.ts'
import { table } from './figures.ts'

type Label = 'read' | 'session' | 'by-call' | 'write'

interface Labelled {
  readonly server: string
  readonly name: string
  readonly label: Label
  readonly description?: string | null
  readonly inputSchema: Readonly<Record<string, unknown>>
  readonly annotations?: Hints | null
}

/** How a tool's calls are met: without asking, by what each call says, or always with a question. */
type Met = 'runs' | 'by call' | 'asks'

interface Rated extends Labelled {
  readonly met: Met
  readonly risk: string
  readonly reasons: readonly string[]
}

/** Servers whose tools were looked at while rules were written or changed, by the names of their recorded lists. */
const lookedAt = new Set(
  (
    'airtable asana atlassian azure-devops azure brave chrome chrome-devtools cloudflare dbhub docker docker-management ' +
    'elasticsearch everything exa fetch-zcaceres figma firecrawl git-cyanheads git gitlab gitlab-reference ' +
    'google-ads-official google-analytics-official google-analytics heroku hubspot jira-aashari kubernetes ' +
    'kubernetes-containers linear-server linkedin-ads meta-ads-pipeboard mongodb neon notion pinecone playwright postgres ' +
    'puppeteer redis-official redis salesforce sequential-thinking shopify-dev slack slack-korotovsky slack-reference ' +
    'sqlite-reference sqlite stripe supabase tavily time-mcp trello'
  ).split(' '),
)

const root = fileURLToPath(new URL('../../', import.meta.url))

interface RecordedList {
  readonly tools: readonly Omit<Labelled, 'server' | 'label'>[]
}

const profiles: readonly Profile[] = readdirSync(`${root}profiles`)
  .filter((file) => file.endsWith('.yaml'))
  .map((file) => {
    const read = readProfile(readFileSync(`${root}profiles/${file}`, 'utf8'), file)
    if (!read.ok) throw new Error(`profiles/${file} cannot be read`)
    return read.value
  })

/** What the profile that was written for this very definition says. */
function profileOf(tool: Omit<Labelled, 'server' | 'label'>): ToolProfile | undefined {
  const digest = shapeDigest(tool)
  const profile = profiles.find(({ tested }) => tested.some(({ definitions }) => definitions[tool.name] === digest))
  const known = profile?.tools[tool.name]
  return profile && known && { ...known, server: profile.title, lowers: true }
}

function labelOf(tool: Omit<Labelled, 'server' | 'label'>): Label | undefined {
  const profile = profileOf(tool)
  if (profile === undefined) {
    const says = tool.annotations?.readOnlyHint
    return says === undefined ? undefined : says ? 'read' : 'write'
  }
  if (profile.program !== undefined || profile.when?.some(({ operation }) => operation === 'read') === true)
    return profile.operation === 'read' && profile.when?.every(({ operation }) => operation === 'read') === true
      ? 'read'
      : 'by-call'
  if (profile.operation !== 'read') return 'write'
  return profile.when?.every(guardsPlainValues) === false ? 'by-call' : 'read'
}

/** A rule against values that are no plain words guards against a slip of its server, of which no definition speaks. */
const guardsPlainValues = (rule: NonNullable<ToolProfile['when']>[number]): boolean =>
  Object.values(rule.if).every(({ matches }) => matches?.startsWith('[^') === true)

function recorded(): readonly Labelled[] {
  const folder = `${root}test/profiles/recorded/`
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) => {
      const { tools } = JSON.parse(readFileSync(folder + file, 'utf8')) as RecordedList
      return tools.flatMap((tool) => {
        const label = labelOf(tool)
        return label === undefined ? [] : [{ ...tool, server: file.replace('.json', ''), label }]
      })
    })
}

/** Measures and prints. */
export async function rating(): Promise<readonly Aim[]> {
  const { values } = parseArgs({
    options: { data: { type: 'string' }, all: { type: 'boolean' }, silent: { type: 'boolean' } },
    strict: false,
  })
  const folder = typeof values['data'] === 'string' ? values['data'] : process.env['COUNTERSIGN_RATING_DATA']
  const files = folder !== undefined && existsSync(folder) ? readdirSync(folder) : []
  const found = files.filter((name) => /^tools.*\.json$/.test(name))
  if (folder === undefined || found.length === 0) {
    console.log(
      `rating: no tools labelled by hand, ${folder === undefined ? 'none given' : `no tools*.json in ${folder}`}`,
    )
    console.log('  pass --data=DIR or set COUNTERSIGN_RATING_DATA to a folder with labelled tools')
  }
  await loadParsers(recorded().flatMap((tool) => programArguments(questionOf(tool, 'call_tool_read').tool)))
  const sets = [
    ['the recorded lists', recorded()] as const,
    ...found.map((file) => [file, JSON.parse(readFileSync(join(folder ?? '', file), 'utf8')) as Labelled[]] as const),
  ]
  const aims: Aim[] = []
  for (const [name, labelled] of sets) {
    const silent = values['silent'] === true
    console.log(`\nrating by the rules alone: ${labelled.length} tools of ${name}${silent ? ', hints removed' : ''}`)
    const byRules = print(
      labelled.map((tool) => rate(silent ? { ...tool, annotations: null } : tool)),
      values['all'] === true,
      { percent: 8, of: 'not looked at' },
    )
    if (!silent) aims.push(...aimsOf(`by the rules alone, ${name}`, byRules, 8))
    if (silent) continue
    const known = labelled.filter((tool) => profileOf(tool) !== undefined)
    console.log(`\nrating by profiles and rules: ${known.length} of them are tools that a profile has`)
    const byProfiles = print(
      known.map((tool) => rate(tool, profileOf(tool))),
      values['all'] === true,
      { percent: 1, of: 'all' },
    )
    aims.push(...aimsOf(`by profiles and rules, ${name}`, byProfiles, 1))
  }
  return aims
}

const aimsOf = (what: string, { unsafe, asking }: Share, percent: number): readonly Aim[] => [
  { what: `writes that run unasked, rated ${what}`, aim: 0, unit: 'count', measured: unsafe },
  { what: `reads that ask, rated ${what}`, aim: percent, unit: 'percent', measured: asking },
]

/** The same through every door: the rating must not depend on what the agent says, so the mildest door counts. */
function rate(tool: Labelled, profile?: ToolProfile): Rated {
  const ratings = variants.map((variant) => possibleAssessments({ ...questionOf(tool, variant), profile }))
  const mildest = ratings.find((range) => range.every(({ risk }) => risk === 'low')) ?? ratings[0]!
  const worst = mildest.find(({ risk }) => risk !== 'low') ?? mildest[0]
  const some = ratings.flat().some(({ risk }) => risk === 'low')
  return {
    ...tool,
    met: worst.risk === 'low' ? 'runs' : some ? 'by call' : 'asks',
    risk: worst.risk,
    reasons: worst.reasons,
  }
}

const questionOf = (tool: Omit<Labelled, 'server' | 'label'>, variant: (typeof variants)[number]): RiskQuestion => ({
  tool: {
    name: tool.name,
    description: tool.description ?? undefined,
    inputSchema: tool.inputSchema,
    annotations: tool.annotations ?? undefined,
  },
  variant,
  server: { tools: {} },
})

/** What is aimed at beside that nothing is unsafe: at most so many reads ask, of these servers. */
interface MostAsking {
  readonly percent: number
  readonly of: 'all' | 'not looked at'
}

interface Share {
  /** Tools that write and run unasked. */
  readonly unsafe: number
  /** Of the reads that an aim is about, those that ask, in percent; absent where there is none. */
  readonly asking: number | undefined
}

function print(tools: readonly Rated[], all: boolean, aim: MostAsking): Share {
  const servers = [...new Set(tools.map((tool) => tool.server))]
  const count = (of: readonly Rated[], labels: readonly Label[], met: readonly Met[]): number =>
    of.filter((tool) => labels.includes(tool.label) && met.includes(tool.met)).length
  const share = (some: number, whole: number): string =>
    `${some} of ${whole}${whole === 0 ? '' : ` (${((100 * some) / whole).toFixed(1)} %)`}`
  const row = (name: string, of: readonly Rated[]): string[] => [
    name,
    String(of.length),
    String(count(of, ['write', 'by-call'], ['runs'])),
    share(count(of, ['read'], ['asks']), count(of, ['read'], ['runs', 'by call', 'asks'])),
    String(count(of, ['read'], ['by call'])),
    String(count(of, ['write'], ['by call'])),
    share(count(of, ['session'], ['asks']), count(of, ['session'], ['runs', 'by call', 'asks'])),
  ]
  console.log(
    table([
      ['', 'tools', 'unsafe', 'reads that ask', 'reads by call', 'writes by call', 'session tools that ask'],
      ...servers.map((server) =>
        row(
          server,
          tools.filter((tool) => tool.server === server),
        ),
      ),
      row(
        'looked at',
        tools.filter(({ server }) => lookedAt.has(server)),
      ),
      row(
        'not looked at',
        tools.filter(({ server }) => !lookedAt.has(server)),
      ),
      row('all', tools),
    ]),
  )
  const aimed = tools.filter(({ server }) => aim.of === 'all' || !lookedAt.has(server))
  const reads = count(aimed, ['read'], ['runs', 'by call', 'asks'])
  const asking = (100 * count(aimed, ['read'], ['asks'])) / reads
  console.log()
  console.log('  unsafe          labelled write or by-call, and runs unasked by its definition alone')
  console.log('  … by call       asks unless the arguments of the call say that it only reads')
  const listed = (title: string, of: readonly Rated[]): void => {
    if (of.length > 0) console.log(`\n  ${title}`)
    for (const { server, name, met, risk, reasons } of of)
      console.log(`    ${server}:${name} (${met}, ${risk}) ${reasons.join(' ')}`)
  }
  listed(
    'unsafe',
    tools.filter(({ label, met }) => ['write', 'by-call'].includes(label) && met === 'runs'),
  )
  listed(
    'writes by call',
    tools.filter(({ label, met }) => label === 'write' && met === 'by call'),
  )
  listed(
    'reads that ask',
    tools.filter(({ label, met }) => label === 'read' && met === 'asks'),
  )
  const shares: Share = { unsafe: count(tools, ['write', 'by-call'], ['runs']), asking: reads > 0 ? asking : undefined }
  if (!all) return shares
  listed(
    'writes at medium',
    tools.filter(({ label, risk }) => label === 'write' && risk === 'medium'),
  )
  listed('everything', tools)
  return shares
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await rating()
