// Whether a call runs unasked is decided by a rating of tools that nobody here has written, so it is measured on tools
// that people have labelled. The tools are not part of this repository: `--data DIR` or COUNTERSIGN_RATING_DATA names a
// folder with one or more `tools*.json`: [{server, name, description, inputSchema, annotations, label}].
//
// Labels: `read` changes nothing that lasts; `session` changes its own session only; `by-call` depends on its arguments;
// `write` changes something. Nothing in the rating is fitted to data: its words are English, and a server's share of the
// errors is printed for itself, which is what leaving that server out would show.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { variants, type Hints } from '../../server/gateway/doors/call-with.ts'
import { possibleAssessments, type RiskQuestion } from '../../server/gateway/rating/assess.ts'
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

/** Measures and prints. */
export async function rating(): Promise<void> {
  const { values } = parseArgs({ options: { data: { type: 'string' }, all: { type: 'boolean' } }, strict: false })
  const folder = typeof values['data'] === 'string' ? values['data'] : process.env['COUNTERSIGN_RATING_DATA']
  const files = folder !== undefined && existsSync(folder) ? readdirSync(folder) : []
  const found = files.filter((name) => /^tools.*\.json$/.test(name))
  if (folder === undefined || found.length === 0) {
    console.log(`rating: not measured, ${folder === undefined ? 'no data given' : `no tools*.json in ${folder}`}`)
    console.log('  pass --data DIR or set COUNTERSIGN_RATING_DATA to a folder with labelled tools')
    return Promise.resolve()
  }
  for (const file of found) {
    const labelled = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Labelled[]
    console.log(`rating: ${labelled.length} tools of ${file}`)
    print(labelled.map(rate), values['all'] === true)
  }
}

/** The same through every door: the rating must not depend on what the agent says, so the mildest door counts. */
function rate(tool: Labelled): Rated {
  const ratings = variants.map((variant) => possibleAssessments(questionOf(tool, variant)))
  const worst = ratings.map(([first]) => first).find(({ risk }) => risk === 'low') ?? ratings[0]![0]
  const some = ratings.flat().some(({ risk }) => risk === 'low')
  return {
    ...tool,
    met: worst.risk === 'low' ? 'runs' : some ? 'by call' : 'asks',
    risk: worst.risk,
    reasons: worst.reasons,
  }
}

const questionOf = (tool: Labelled, variant: (typeof variants)[number]): RiskQuestion => ({
  tool: {
    name: tool.name,
    description: tool.description ?? undefined,
    inputSchema: tool.inputSchema,
    annotations: tool.annotations ?? undefined,
  },
  variant,
  server: { tools: {} },
})

function print(tools: readonly Rated[], all: boolean): void {
  const servers = [...new Set(tools.map((tool) => tool.server))]
  const count = (of: readonly Rated[], labels: readonly Label[], met: readonly Met[]): number =>
    of.filter((tool) => labels.includes(tool.label) && met.includes(tool.met)).length
  const row = (name: string, of: readonly Rated[]): string[] => [
    name,
    String(of.length),
    String(count(of, ['write', 'by-call'], ['runs'])),
    `${count(of, ['read'], ['asks'])} of ${count(of, ['read'], ['runs', 'by call', 'asks'])}`,
    String(count(of, ['read'], ['by call'])),
    String(count(of, ['write'], ['by call'])),
    `${count(of, ['session'], ['asks', 'by call'])} of ${count(of, ['session'], ['runs', 'by call', 'asks'])}`,
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
      row('all', tools),
    ]),
  )
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
  listed(
    'writes at medium',
    tools.filter(({ label, risk }) => label === 'write' && risk === 'medium'),
  )
  if (all) listed('everything', tools)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await rating()
