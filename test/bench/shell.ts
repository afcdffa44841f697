// Whether a line of a shell that is rated a read changes anything is asked of bash, dash and what other shells there are: every such line of public
// collections runs as nobody in a folder of its own, in which every program that is not known to read is a stand-in that
// leaves a trace. The collections are not part of this repository. `--statements=DIR` or COUNTERSIGN_SHELL_LINES names a
// folder with any of `pages` (of tldr-pages), `all.cm` (data/bash of nl2bash) and `_gtfobins` (of GTFOBins.github.io).
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { parseAllDocuments } from 'yaml'
import { loadShellParser } from '../../server/gateway/programs/shell/parser.ts'
import { readShell } from '../../server/gateway/programs/shell/shell.ts'
import { canBeAlone, shellSandbox } from '../kit/shell-sandbox.ts'
import { table } from './figures.ts'

/** Lines that a person would call reads begin with one of these, and only these are counted as such. */
const looks =
  /^(?:ls|cat|grep|egrep|head|tail|wc|find|sort|uniq|cut|du|df|ps|pwd|echo|stat|file|which|diff|awk|sed|tree|tr|date|jq|rg)\b(?!.*(?:[^2&]>(?!\s*\/dev\/null|&)|-exec|-delete|-ok|-i\b|--in-place|\$\(|`|xargs|\btee\b|\brm\b|\bmv\b|\bcp\b|\bsh\b))/

/** Those that this machine has. */
const shells = ['bash', 'dash', 'zsh', 'ksh', 'mksh'].filter((name) => existsSync(join('/bin', name)))

const collections: Readonly<Record<string, (folder: string) => readonly string[]>> = {
  pages: (folder) =>
    globSync('{common,linux,osx}/*.md', { cwd: folder }).flatMap((file) =>
      Array.from(readFileSync(join(folder, file), 'utf8').matchAll(/^`(.+)`$/gm), ([, line = '']) =>
        line
          .replaceAll(/\{\{\[[^|\]]*\|([^\]]*)\]\}\}/g, '$1')
          .replaceAll(/\{\{(.*?)\}\}/g, (_, inner: string) => inner.split('|')[0]?.split(' ...')[0] ?? ''),
      ),
    ),
  'all.cm': (file) => readFileSync(file, 'utf8').split('\n').filter(Boolean),
  _gtfobins: (folder) =>
    globSync('*', { cwd: folder }).flatMap((file) =>
      parseAllDocuments(readFileSync(join(folder, file), 'utf8')).flatMap((each) => codesIn(each.toJS())),
    ),
}

/** Every text under `code`. */
const codesIn = (value: unknown, key = ''): readonly string[] =>
  typeof value === 'string'
    ? key === 'code'
      ? [value.trim()]
      : []
    : Object.entries(Object(value) as object).flatMap(([name, inner]) => codesIn(inner, name))

/** Measures and prints. */
export async function shell(): Promise<void> {
  const { values } = parseArgs({ options: { statements: { type: 'string' } }, strict: false })
  const given = typeof values['statements'] === 'string' ? values['statements'] : process.env['COUNTERSIGN_SHELL_LINES']
  const found = Object.keys(collections).filter((name) => given !== undefined && existsSync(join(given, name)))
  if (given === undefined || found.length === 0) {
    console.log('shell: not measured, no lines given')
    console.log('  pass --statements DIR or set COUNTERSIGN_SHELL_LINES; test/bench/shell.ts says what it holds')
    return
  }
  await loadShellParser()
  const sandbox = shellSandbox()
  const rows = found.map((name) => {
    const lines = [...new Set(collections[name]?.(join(given, name)))]
    const rated = lines.map((line) => ({ line, ...readShell(line, 'posix') }))
    const reads = rated.filter(({ risk }) => risk === 'low')
    const likely = rated.filter(({ line }) => looks.test(line))
    const wrong = sandbox.changing(
      shells,
      reads.map(({ line }) => line),
      700,
    )
    for (const { line, changed } of wrong) console.log(`  WRITES: ${line}: ${changed}`)
    const share = (part: number, whole: number): string => `${((100 * part) / Math.max(whole, 1)).toFixed(1)} %`
    return [
      name,
      ...[lines.length, reads.length].map(String),
      share(rated.filter(({ reasons }) => reasons[0]?.startsWith('It cannot be read') === true).length, lines.length),
      String(rated.filter(({ risk }) => risk === 'critical').length),
      String(likely.length),
      share(likely.filter(({ risk }) => risk === 'low').length, likely.length),
      String(wrong.length),
    ]
  })
  sandbox.remove()
  console.log(
    `shells: ${shells.join(', ')}; ${canBeAlone ? 'shut in, with nothing but a home to write to' : 'as nobody'}`,
  )
  console.log(table([['shell', 'lines', 'read', 'unread', 'critical', 'like reads', 'rated read', 'wrong'], ...rows]))
}
