// `countersign doctor`: when a tool is missing or nothing answers, this says where to look; and it says what none of this
// protects from, because a person who trusts a lock should know the windows.
import { existsSync } from 'node:fs'
import type { Composed } from '../../compose/compose.ts'
import { packageVersion, playgroundAssets } from '../../compose/package-files.ts'
import { databaseFile, isPostgresAddress, openRecords, shownDatabase } from '../../compose/records/open-records.ts'
import { aheadNext, aheadText, anchoringOf, inspectDatabase } from '../../compose/records/activity.ts'
import { operatorText, riskWordsOf, type GatewayConfig } from '../../compose/settings/gateway-files.ts'
import { loginKeyOf, loginWords, whyNoLogin } from '../../compose/gateway/logins.ts'
import { sandboxWords } from '../../compose/sandbox/sandbox-tools.ts'
import { leftOutWords } from '../../compose/gateway/left-out.ts'
import { profileWords } from '../../compose/profiles/profile-words.ts'
import { missingAmong, needsOf } from '../../compose/settings/needed-packages.ts'
import { idleHere, placeOfRule } from '../../compose/settings/check-tool-rules.ts'
import { callerCredential } from '../../config/access.ts'
import { composeOptionsOf, type Config } from '../../compose/settings/config.ts'
import { needsOfAccess } from '../../http/auth/needed-packages.ts'
import { settingsOf, type ConfigOptions, type OutputOptions } from '../config-options.ts'
import { gatewayIn, openGateway } from './gateway-serve.ts'
import type { Pin } from '../../model/pins.ts'
import { riskWords } from '../../model/risk.ts'
import { exit, print, printedAs, trouble, type Form } from '../terminal/output.ts'

/** What is found: printed as it comes, or kept for the one document that a script has asked for. */
class Report {
  readonly sections: { readonly title: string; readonly rows: { readonly name: string; readonly text: string }[] }[] =
    []
  readonly #isTable: boolean

  constructor(form: Form) {
    this.#isTable = form === 'table'
  }

  section(title: string): void {
    if (this.#isTable) print(this.sections.length === 0 ? title : `\n${title}`)
    this.sections.push({ title, rows: [] })
  }

  /** A row without a name goes on with the one above it. */
  row(name: string, text: string): void {
    if (this.#isTable) print(`  ${name.padEnd(14)} ${text}`)
    this.sections.at(-1)?.rows.push({ name, text })
  }
}

/** Looks at everything and prints it. Answers 1 where something does not work. */
export async function doctor(options: ConfigOptions & OutputOptions): Promise<number> {
  const settings = settingsOf(options)
  if (!settings.ok) return trouble(settings.failure, exit.refused)
  const { server, text } = settings.value
  const file = databaseFile(server.db)
  const report = new Report(options.output)
  report.section('Installed')
  report.row('countersign', packageVersion())
  report.row('node', process.versions.node)
  report.row('playground', existsSync(playgroundAssets()) ? 'built' : 'not built: run `npm run build`')
  const there = isPostgresAddress(file) || existsSync(file)
  report.row('database', there ? shownDatabase(file) : `${file} (not there yet; it is made at the first start)`)
  report.row('secret', server.secret === undefined ? noSecret(file) : 'from COUNTERSIGN_SECRET')
  report.row('over HTTP', callersOf(server.access))
  report.row('programs', await sandboxWords(server.sandbox))
  const starts = await lookAtPackages(report, settings.value)
  const database = await lookAtDatabase(report, settings.value)
  if (typeof database === 'number') return database
  const behind =
    text?.value['mcpServers'] === undefined || (await lookAtGateway(report, settings.value, options, database))
  if (typeof behind === 'number') return behind
  const healthy = starts && database.healthy && behind
  if (!(await printedAs(options.output, { ok: healthy, sections: report.sections }))) print(`\n${limits}`)
  return healthy ? exit.ok : exit.failed
}

/** Names what the settings need and is not installed. Answers whether a server starts without it. */
async function lookAtPackages(report: Report, { server, text }: Config): Promise<boolean> {
  const of = { file: databaseFile(server.db), isGateway: text?.value['mcpServers'] !== undefined }
  const lacking = await missingAmong([...needsOfAccess(server), ...needsOf(server, of)])
  for (const [at, each] of lacking.entries()) report.row(at === 0 ? 'packages' : '', each.text)
  return lacking.every(({ starts }) => starts)
}

/** What a caller of the web door must bring. */
const callersOf = (access: Config['server']['access']): string =>
  ({
    jwt: 'callers bring tokens of the authorization server',
    tokens: 'callers bring tokens of `countersign token`',
    none: 'everybody who reaches the server may call every tool (insecure_open)',
    secret: `callers bring the secret ${access.secret === undefined ? 'of each start (?token=… in the addresses that it prints, or writes to a file where no terminal is)' : 'of access.secret'}`,
  })[callerCredential(access)]

const noSecret = (file: string): string =>
  isPostgresAddress(file) ? 'missing: PostgreSQL needs COUNTERSIGN_SECRET' : 'a key file beside the database'

interface LookedAt {
  readonly healthy: boolean
  readonly pins: readonly Pin[]
  /** Whether it is there, and of this version. */
  readonly isCurrent: boolean
}

/** Looks at what is there; makes, migrates and changes nothing. Answers what the record says and the pinned definitions. */
async function lookAtDatabase(report: Report, { server }: Config): Promise<LookedAt | number> {
  const { file, secret, activity } = composeOptionsOf(server)
  const looked = await inspectDatabase({ file, secret })
  if (!looked.ok) return trouble(looked.failure)
  if (looked.value === undefined) return { healthy: true, pins: [], isCurrent: false }
  const look = looked.value
  const { missing, unknown, asked } = look
  try {
    if (asked === undefined) {
      report.row(
        'state',
        unknown.length > 0
          ? `was written by a newer Countersign (${unknown.join(', ')}): install that version, or name another database`
          : `is of an older version; the first start migrates it (${missing.join(', ')}). Its record was not looked at`,
      )
      return { healthy: unknown.length === 0, pins: [], isCurrent: false }
    }
    report.row('state', 'opens, and its key fits')
    const anchoring = anchoringOf(asked, activity?.anchor, file)
    const doubt = await anchoring.doubt()
    if (doubt !== undefined) report.row('record', `Agents may change nothing. ${doubt.message} ${doubt.next}`)
    else report.row('record', anchoredIn(anchoring.file))
    const ahead = aheadText(await asked.activity.retentionTime())
    if (ahead !== undefined) report.row('clock', `${ahead} ${aheadNext}`)
    return { healthy: doubt === undefined, pins: asked.pins, isCurrent: true }
  } finally {
    await look.close()
  }
}

const anchoredIn = (file: string | undefined): string => {
  if (file === undefined) return 'not anchored'
  return existsSync(file) ? `anchored in ${file}` : `not anchored yet; a server does so in ${file}`
}

async function lookAtGateway(
  report: Report,
  settings: Config,
  options: ConfigOptions,
  { pins, isCurrent }: LookedAt,
): Promise<boolean | number> {
  const found = await gatewayIn(options, exit.refused)
  if (typeof found === 'number') return found
  const { config } = found
  // A login whose token has ended is refreshed, as any start does: its server would not answer otherwise.
  const mayLogIn = isCurrent && Object.values(config.servers).some((server) => whyNoLogin(server) === undefined)
  const logins = mayLogIn ? await openRecords(composeOptionsOf(settings.server)) : undefined
  if (logins?.ok === false) return trouble(logins.failure)
  const looks = { pins: pinnedAs(pins), ...(logins === undefined ? {} : { logins: logins.value }) }
  try {
    return await lookAtServers(report, settings, options, config, looks)
  } finally {
    await logins?.value.close()
  }
}

async function lookAtServers(
  report: Report,
  settings: Config,
  options: ConfigOptions,
  config: GatewayConfig,
  looks: NonNullable<Parameters<typeof openGateway>[2]['looks']>,
): Promise<boolean | number> {
  const begun = Date.now()
  const composed = await openGateway(config, 'gateway', { ...options, looks, patienceMs: 60_000 })
  if (typeof composed === 'number') return composed
  try {
    await composed.gateway?.pool.startAll()
    await composed.gateway?.refresh()
    report.section(`Servers of ${settings.text?.file ?? ''}`)
    const well = await lookAtUpstreams(report, composed, begun, looks.logins)
    for (const said of (await composed.gateway?.reservedNameNotices()) ?? []) report.row('names', said)
    const idle = idleHere(settings.server, composed)
    for (const rule of idle) report.row('rules', `${placeOfRule(settings, rule)}: ${rule.message} ${rule.next}`)
    for (const name of config.disabled) report.row(name, 'switched off')
    lookAsAgent(report, composed, config.confirmation)
    return well && idle.length === 0
  } finally {
    await composed.close()
  }
}

/** Definitions as they are pinned; what a start would write is not kept. */
const pinnedAs = (pins: readonly Pin[]) => ({
  get: (server: string) => Promise.resolve(pins.filter((pin) => pin.server === server)),
  put: () => Promise.resolve(),
  accept: () => Promise.resolve(false),
})

async function lookAtUpstreams(
  report: Report,
  { gateway }: Composed,
  begun: number,
  kept: Pick<Composed['store'], 'logins'> | undefined,
): Promise<boolean> {
  const tools = [...(gateway?.tools() ?? []), ...(gateway?.forbidden() ?? [])]
  // What cannot be loaded is said in the log.
  await Promise.all(tools.map((tool) => tool.prepare()))
  let well = true
  for (const upstream of gateway?.pool.upstreams ?? []) {
    const state = upstream.state()
    const identity = upstream.identity()
    if (state.kind !== 'ready' || identity === undefined) {
      well = false
      report.row(upstream.name, `does not answer: ${operatorText(state)}`)
      await lookAtLogin(report, upstream, kept)
      continue
    }
    const asked = performance.now()
    const pong = await upstream.request('ping', {}, { timeoutMs: 10_000 })
    const took = performance.now() - asked
    const { tools: listed, problems } = upstream.tools()
    // A server that answers with an error has answered, too; not all know ping.
    const answers = pong.ok || pong.failure.kind === 'refused'
    well &&= answers
    report.row(
      upstream.name,
      [
        `${identity.name} ${identity.version} over ${identity.transport}`,
        `ready after ${state.since - begun} ms`,
        answers ? `answers in ${took.toFixed(1)} ms` : `does not answer a ping: ${pong.failure.message}`,
        counted(listed.length, 'tool'),
      ].join(', '),
    )
    await lookAtLogin(report, upstream, kept)
    if (upstream.config.rationale === 'optional')
      report.row('', 'calls of its low-risk reads need no rationale ("rationale": "optional")')
    for (const words of [...leftOutWords(upstream), ...profileWords(tools, upstream)]) report.row('', words)
    for (const problem of problems) report.row('', `left out: ${problem}`)
  }
  return well
}

/** Of a remote server: which login it has, also where that does not help. */
async function lookAtLogin(
  report: Report,
  { name, config }: NonNullable<Composed['gateway']>['pool']['upstreams'][number],
  kept: Pick<Composed['store'], 'logins'> | undefined,
): Promise<void> {
  const login = 'url' in config ? await kept?.logins.find(loginKeyOf(name, config)) : undefined
  if (login !== undefined) report.row('', loginWords(login))
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** What a model reads at the start, and what it can find. */
function lookAsAgent(report: Report, { gateway, parts }: Composed, confirmation: 'rail' | 'host'): void {
  const tools = gateway?.tools() ?? []
  report.section('What an agent sees')
  report.row(
    'tools',
    [
      ...parts.engine.catalog.tools.map((tool) => tool.wireName),
      ...(parts.gatewayTools?.tools() ?? []).map((tool) => tool.name),
    ].join(', '),
  )
  report.row(
    'behind them',
    `${counted(tools.length, 'tool')} of ${counted(gateway?.pool.upstreams.length ?? 0, 'server')}`,
  )
  const rated = Map.groupBy(tools, riskWordsOf)
  for (const risk of ['low', 'medium', 'high', 'critical'] as const) {
    const count = rated.get(risk)?.length ?? 0
    if (count > 0) report.row('', `${count} ${risk}: ${meanings[confirmation][risk]}`)
    const words = riskWords(risk, true)
    const byInput = rated.get(words)?.length ?? 0
    if (byInput > 0) report.row('', `${byInput} ${words}: each call by what its arguments say`)
  }
  for (const tool of tools.filter((each) => each.held !== undefined))
    report.row('held back', `${tool.name} has changed since it was accepted: countersign tools review`)
  for (const tool of tools.filter((each) => each.findings.length > 0))
    report.row('suspicious', `${tool.name}: ${tool.findings.map((finding) => finding.text).join(' ')}`)
}

const meanings = {
  rail: {
    low: 'runs at once',
    medium: 'previews; the plan id that the preview names applies it',
    high: 'previews; only the card has the ticket that applies it',
    critical: 'previews; a recorded click, or an approval outside the chat',
  },
  host: {
    low: 'runs at once',
    medium: "runs after the host's own prompt",
    high: "runs after the host's own prompt",
    critical: 'needs an approval outside the chat',
  },
} as const

const limits = `What this does not protect from
  - An agent with a shell under your own user account: it can read the database's key, run \`countersign call --yes\`,
    start the servers itself, or edit this configuration.
  - A process of your own user: it can read the secret that callers of a web server bring. Other users cannot.
  - A server that does something else than it says. What it is sent is shown and recorded; what it does with that is not.
  - A host that still has the same servers configured beside this one: take them out there
    (\`countersign import --write-back\` does).
  - A host that shows a result's _meta to its model: the model then has the ticket, too.
  - A person who confirms without reading.`
