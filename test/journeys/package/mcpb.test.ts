// The bundle that a chat host installs by a double click (`npm run build:mcpb`), unpacked and started as its manifest says.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { place } from '../at-end.ts'
import { confirm, connect } from '../agent.ts'
import { environment } from '../processes.ts'
import { realPlace } from '../gateway/reach.ts'
import { root } from './installed.ts'

const packing = join(root, 'mcpb', 'node_modules', '@anthropic-ai', 'mcpb', 'dist')

/** What its makers' own package makes of a manifest and of what a person typed into the form. */
const startSchema = z.object({ command: z.string(), args: z.array(z.string()) })
type Fill = (given: {
  readonly manifest: unknown
  readonly extensionPath: string
  readonly systemDirs: Readonly<Record<string, string>>
  readonly userConfig: Readonly<Record<string, string>>
  readonly pathSeparator: string
}) => Promise<unknown>

let folder: string
let fill: Fill

beforeAll(async () => {
  if (!existsSync(packing)) throw new Error('mcpb is not installed: npm ci --ignore-scripts --prefix mcpb')
  const file = join(place(), 'countersign.mcpb')
  execFileSync(process.execPath, [join(root, 'mcpb', 'build.ts'), file])
  folder = place()
  execFileSync(process.execPath, [join(packing, 'cli', 'cli.js'), 'unpack', file, folder], { stdio: 'ignore' })
  const loaded = (await import(pathToFileURL(join(packing, 'shared', 'config.js')).href)) as object
  fill = (loaded as { readonly getMcpConfigForManifest: Fill }).getMcpConfigForManifest
})

/** How a host starts it where this is what a person typed. */
const startedWith = async (server: string): Promise<z.output<typeof startSchema>> => {
  const manifest: unknown = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))
  const given = { manifest, extensionPath: folder, systemDirs: {}, userConfig: { server }, pathSeparator: '/' }
  return startSchema.parse(await fill(given))
}

const command = async (server: string) => {
  const { args } = await startedWith(server)
  return { command: process.execPath, args, env: { ...environment(), XDG_DATA_HOME: place() }, cwd: place() }
}

test('stands in front of the server that a person has typed, and writes once it is confirmed', async () => {
  const files = realPlace()
  const server = join(root, 'node_modules', '@modelcontextprotocol', 'server-filesystem', 'dist', 'index.js')
  const agent = await connect(new StdioClientTransport(await command(`node "${server}" '${files}'`)))
  expect(agent.tools.map(({ name }) => name)).toContain('read_text_file')
  const path = join(files, 'note.txt')
  const preview = await agent.call('write_file', { path, content: 'By noon' })
  expect(preview).toMatchObject({ isError: false, status: 'previewed' })
  expect(existsSync(path)).toBe(false)
  expect((await confirm(agent, preview)).status).toBe('applied')
  expect(readFileSync(path, 'utf8')).toBe('By noon')
})

test('reads a statement of SQL, whose parser is a package of its own', async () => {
  const start = await command('node x')
  const asked = `const { parse } = await import('libpg-query'); console.log((await parse('select 1')).stmts.length)`
  const said = execFileSync(start.command, ['--input-type=module', '--eval', asked], { cwd: folder, encoding: 'utf8' })
  expect(said).toBe('1\n')
})

test('says in one line what is wrong with what was typed', async () => {
  const { command: node, args, env, cwd } = await command('node "server.js')
  const client = new Client({ name: 'host', version: '1' })
  const transport = new StdioClientTransport({ command: node, args, env, cwd, stderr: 'pipe' })
  let said = ''
  transport.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()))
  await expect(client.connect(transport)).rejects.toThrow()
  await expect.poll(() => said).toBe('countersign: A quotation mark of --command-line is not closed. Close it.\n')
})

test('has the documentation to which its errors lead', async () => {
  const agent = await connect(new StdioClientTransport(await command(`node -e 0`)))
  const { contents } = await agent.client.readResource({ uri: 'countersign://docs/errors' })
  expect(contents).toMatchObject([{ mimeType: 'text/markdown', text: expect.stringContaining('# Errors') }])
})

test('names its own version', () => {
  const of = (file: string): unknown => (JSON.parse(readFileSync(file, 'utf8')) as { version: unknown }).version
  expect(of(join(folder, 'manifest.json'))).toBe(of(join(root, 'package.json')))
})
