// A host starts one of us for each line of its file and keeps it all day: what most of them never use is loaded by the call
// that needs it. These are the modules that Node loads for a server that has listed its tools and read a folder.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { expect, test } from 'vitest'
import { connect } from '../agent.ts'
import { place } from '../at-end.ts'
import { publishedServer } from '../bundles.ts'
import { environment } from '../processes.ts'

const root = join(import.meta.dirname, '..', '..', '..')

/** Writes into a file which modules a process has loaded, whenever it loads one. */
const recorder = (file: string): string =>
  `data:text/javascript,${encodeURIComponent(`
    import { registerHooks } from 'node:module'
    import { appendFileSync } from 'node:fs'
    registerHooks({
      load(url, context, next) {
        appendFileSync(${JSON.stringify(file)}, url + '\\n')
        return next(url, context)
      },
    })`)}`

/** Paths below the root of the repository of what `wrap` loads before it has been stopped. */
async function loadedByWrap(folder: string): Promise<readonly string[]> {
  const file = join(folder, 'loaded.txt')
  const wrap = [
    'wrap',
    '--db',
    join(folder, 'records.db'),
    '--',
    process.execPath,
    publishedServer('filesystem'),
    folder,
  ]
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['--no-warnings', '--import', recorder(file), join(root, 'server', 'cli', 'countersign.ts'), ...wrap],
    env: environment(),
    cwd: root,
    stderr: 'ignore',
  })
  const agent = await connect(transport)
  expect((await agent.call('list_directory', { path: folder })).isError).toBe(false)
  await agent.close()
  const urls = readFileSync(file, 'utf8').split('\n')
  const base = new URL(`file://${root}/`).href
  return urls.filter((url) => url.startsWith(base)).map((url) => url.slice(base.length))
}

/** Of the packages that we name ourselves, those that a call of a reading tool needs. A new one costs every server memory. */
const neededByAll = [
  '@modelcontextprotocol/sdk',
  '@secretlint/secretlint-rule-preset-recommend',
  'ajv',
  'ajv-formats',
  'commander',
  'ipaddr.js',
  'jsonc-parser',
  'kysely',
  'pino',
  're2js',
  // Profiles are YAML where the program runs from its sources, and JSON once it is built.
  'yaml',
  'zod',
]

/** Folders of what belongs to a task that most servers never have. */
const usedByFew = ['server/demo/', 'server/sandbox/', 'server/testing/', 'server/toolsets/sandbox/']

test('a server that only reads has loaded nothing that belongs to tasks of others', async () => {
  const loaded = await loadedByWrap(place())
  expect(loaded).toContain('server/rail/call.ts')
  for (const folder of usedByFew) {
    expect(existsSync(join(root, folder)), folder).toBe(true)
    expect(loaded.filter((file) => file.startsWith(folder))).toStrictEqual([])
  }
  const named = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, object>
  const known = { ...named['dependencies'], ...named['optionalDependencies'], ...named['peerDependencies'] }
  const packages = Object.keys(known).filter((name) => loaded.some((file) => file.startsWith(`node_modules/${name}/`)))
  expect(packages.toSorted()).toStrictEqual(neededByAll)
})
