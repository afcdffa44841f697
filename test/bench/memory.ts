// What does standing in front of servers take of a desktop's memory? A chat host starts one process for each line of its
// file and keeps it all day. The same servers stand behind the least that the official SDK makes of a proxy, and behind us
// as people install us (`dist`); only the process in between is measured, not the servers behind it. Linux says how much.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { build, transformWithOxc } from 'vite'
import { readRecorded, recordedNames } from '../profiles/recorded.ts'
import { table, times } from './figures.ts'
import { megabytes, processorSeconds, withFolder } from './processes.ts'

/** V8 collects by itself within 20 s of rest. */
const idleSeconds = 30
const many = 27
const longestStartMs = 60_000

const fromHere = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const countersign = fromHere('../../dist/program/countersign.js')
const filesystem = fromHere('../../node_modules/@modelcontextprotocol/server-filesystem/dist/index.js')
const proxyFile = fromHere('serve-proxy.ts')
const recordedServer = fromHere('serve-recorded.ts')

/** Types are stripped before it starts: doing so takes memory, and who installs a proxy has JavaScript. */
async function proxy(servers: readonly (readonly string[])[]): Promise<readonly string[]> {
  const { code } = await transformWithOxc(await readFile(proxyFile, 'utf8'), proxyFile)
  return ['--input-type=module', '--eval', code, '--', commandsOf(servers)]
}

const commandsOf = (servers: readonly (readonly string[])[]): string =>
  JSON.stringify(servers.map((args) => [process.execPath, ...args]))

/** The same in one file with its packages, as we are: modules cost memory, too. */
async function bundledProxy(folder: string, servers: readonly (readonly string[])[]): Promise<readonly string[]> {
  await build({
    configFile: false,
    root: fromHere('../..'),
    logLevel: 'warn',
    ssr: { noExternal: true },
    build: {
      ssr: proxyFile,
      outDir: folder,
      emptyOutDir: false,
      copyPublicDir: false,
      target: 'node22',
      rollupOptions: { output: { entryFileNames: '[name].mjs', comments: false } },
    },
  })
  return [join(folder, 'serve-proxy.mjs'), commandsOf(servers)]
}

/** The servers with the most tools: a hard case, and the same in every run. */
const largest = recordedNames
  .map((name) => ({ name, tools: readRecorded(name).tools.length }))
  .toSorted((a, b) => b.tools - a.tools)
  .slice(0, many)

interface Contestant {
  readonly title: string
  readonly args: readonly string[]
  /** Its work, once it serves. */
  readonly use: (client: Client) => Promise<void>
}

/** In MB. */
interface Taken {
  /** Of the resident set: after the work, after it was idle, and the most that there ever was. */
  readonly busy: number
  readonly idle: number
  readonly peak: number
  /** Of the idle set what is the process's own: no files, which others that run the same program share. */
  readonly own: number
  /** Seconds of the processor from the start to the end of the work. */
  readonly seconds: number
}

/** Measures and prints. */
export async function memory(): Promise<void> {
  if (process.platform !== 'linux') return console.log('memory: measured on Linux only, from /proc')
  await withFolder(async (folder) => {
    console.log('memory: the process in front of the servers alone; MB resident, CPU seconds from its start')
    await compare('one server (filesystem), listed and called', await oneServer(folder))
    const count = largest.reduce((sum, { tools }) => sum + tools, 0)
    await compare(
      `${many} servers with ${count} tools, as recorded, listed and one called`,
      await manyServers(folder),
      [],
    )
    console.log()
    console.log(`  busy   right after the work`)
    console.log(`  idle   ${idleSeconds} s later; a heap that has just been collected may shrink only then`)
    console.log('  own    of idle: what no other process of the same program shares')
    console.log("  ratio  of idle to the SDK's proxy; what is only loaded is what nothing made of it goes below")
  })
}

const sdk = ['client/index', 'client/stdio', 'server/index', 'server/stdio'].map(
  (file) => `@modelcontextprotocol/sdk/${file}.js`,
)
const packages = ['kysely', 'pino', 'commander', 'ajv/dist/2020.js', 'ajv-formats', 're2js', '@opentelemetry/api']
const secrets = '@secretlint/secretlint-rule-preset-recommend'

/** All that a server in front of others has loaded before its first call. */
const ours = fromHere('../../server/cli/gateway/gateway-serve.ts')

const load = (modules: readonly string[]): string =>
  modules.map((name) => `await import(${JSON.stringify(name)})`).join('\n')
const database = "const db = new (await import('node:sqlite')).DatabaseSync(':memory:'); db.exec('create table t (a)')"

/** What nothing goes below that is made of these: each is loaded beside those before it, and nothing is done with them. */
const floors: readonly (readonly [title: string, code: string])[] = [
  ['node alone', ''],
  ['+ Zod', load(['zod'])],
  ["+ the SDK's client and server", load(['zod', ...sdk])],
  ['+ an open database of node:sqlite', `${load(['zod', ...sdk])}\n${database}`],
  ['+ the other packages of ours', `${load(['zod', ...sdk, ...packages, secrets])}\n${database}`],
  ['+ our modules, not bundled', `${load(['zod', ...sdk, ...packages, secrets, ours])}\n${database}`],
]

async function compare(title: string, contestants: readonly Contestant[], loaded = floors): Promise<void> {
  const taken: (readonly [string, Taken])[] = []
  for (const [name, code] of loaded) taken.push([name, await measureLoaded(code)])
  for (const contestant of contestants) taken.push([contestant.title, await measure(contestant)])
  const peer = taken[loaded.length]?.[1].idle ?? Number.NaN
  const mb = (value: number): string => value.toFixed(0)
  console.log()
  console.log(`  ${title}`)
  console.log(
    table([
      ['', 'busy', 'idle', 'own', 'peak', 'CPU s', 'ratio'],
      ...taken.map(([name, { busy, idle, own, peak, seconds }]) => [
        name,
        mb(busy),
        mb(idle),
        mb(own),
        mb(peak),
        seconds.toFixed(2),
        times(idle / peer),
      ]),
    ]),
  )
}

async function oneServer(folder: string): Promise<readonly Contestant[]> {
  const server = [filesystem, folder]
  const use =
    (prefix: string, extra: Readonly<Record<string, string>>) =>
    async (client: Client): Promise<void> => {
      await client.listTools()
      await call(client, `${prefix}list_directory`, { path: folder, ...extra })
    }
  return [
    { title: "the SDK's client and server", args: await proxy([server]), use: use('0:', {}) },
    { title: 'the same, bundled', args: await bundledProxy(folder, [server]), use: use('0:', {}) },
    {
      title: 'countersign wrap',
      args: [countersign, 'wrap', '--db', join(folder, 'one.db'), '--', process.execPath, ...server],
      use: use('', { rationale: 'The benchmark asks for it.' }),
    },
  ]
}

async function manyServers(folder: string): Promise<readonly Contestant[]> {
  const servers = largest.map(({ name }) => ({ name, args: [recordedServer, name] }))
  const file = join(folder, 'many.json')
  const proxied = servers.map(({ args }) => args)
  const useProxy = async (client: Client): Promise<void> => {
    await client.listTools()
    await call(client, '0:list_issues', {})
  }
  // By name: what starts them is this bench, by which no profile recognises them.
  const mcpServers = servers.map(({ name, args }) => [
    name,
    { command: process.execPath, args, ...(hasProfile(name) ? { profile: name } : {}) },
  ])
  await writeFile(file, JSON.stringify({ mcpServers: Object.fromEntries(mcpServers) as unknown }))
  return [
    { title: "the SDK's clients and server", args: await proxy(proxied), use: useProxy },
    { title: 'the same, bundled', args: await bundledProxy(folder, proxied), use: useProxy },
    {
      title: 'countersign gateway',
      args: [countersign, 'gateway', '--config', file, '--db', join(folder, 'many.db')],
      use: async (client) => {
        await client.listTools()
        await untilAllServe(client)
        await call(client, 'call_tool_read', {
          name: 'gitlab:list_issues',
          args_json: '{}',
          intent: { operation_type: 'read', reason: 'The benchmark asks for it.' },
        })
      },
    },
  ]
}

const hasProfile = (name: string): boolean => {
  const index = JSON.parse(readFileSync(fromHere('../../profiles/index.json'), 'utf8')) as readonly { name: string }[]
  return index.some((profile) => profile.name === name)
}

async function call(client: Client, name: string, args: Readonly<Record<string, unknown>>): Promise<string> {
  const result = await client.callTool({ name, arguments: args })
  const text = JSON.stringify(result.content)
  if (result.isError === true) throw new Error(`${name} failed: ${text.slice(0, 300)}`)
  return text
}

/** A search says which servers are still starting. */
async function untilAllServe(client: Client): Promise<void> {
  const search = { query: 'create an issue', rationale: 'The benchmark asks for it.' }
  const end = performance.now() + longestStartMs
  while (/ is starting/.test(await call(client, 'retrieve_tools', search))) {
    if (performance.now() > end) throw new Error(`Not all of ${many} servers serve after ${longestStartMs} ms.`)
    await wait(500)
  }
}

async function measure({ args, use }: Contestant): Promise<Taken> {
  const transport = new StdioClientTransport({ command: process.execPath, args: [...args], stderr: 'ignore' })
  const client = new Client({ name: 'bench', version: '1' })
  await client.connect(transport)
  try {
    await use(client)
    return await taken(transport.pid ?? 0)
  } finally {
    await client.close()
  }
}

const saysLoaded = "console.log(JSON.stringify({ jsonrpc: '2.0', method: 'loaded' }))"

/** A process that loads modules and does nothing. */
async function measureLoaded(code: string): Promise<Taken> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['--input-type=module', '--eval', `${code}\n${saysLoaded}\nprocess.stdin.resume()`],
    cwd: fromHere('../..'),
  })
  const loaded = new Promise<unknown>((resolve) => (transport.onmessage = resolve))
  await transport.start()
  try {
    await loaded
    return await taken(transport.pid ?? 0)
  } finally {
    await transport.close()
  }
}

async function taken(pid: number): Promise<Taken> {
  const busy = megabytes(pid, 'smaps_rollup', 'Rss')
  const seconds = processorSeconds(pid)
  await wait(idleSeconds * 1000)
  return {
    busy,
    seconds,
    idle: megabytes(pid, 'smaps_rollup', 'Rss'),
    own: megabytes(pid, 'smaps_rollup', 'Anonymous'),
    peak: megabytes(pid, 'status', 'VmHWM'),
  }
}
