// A model reads every tool's description and schema at each turn, so what `wrap` adds to them is paid for again and again.
// The lists of official servers, asked for directly and through `wrap`, byte by byte.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import type { Tool } from '@modelcontextprotocol/sdk/types.js'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { median, table } from './figures.ts'
import { withFolder } from './processes.ts'

const fromHere = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const countersign = fromHere('../../server/cli/countersign.ts')
const official = (name: string): string =>
  fromHere(`../../node_modules/@modelcontextprotocol/server-${name}/dist/index.js`)

/** Measures and prints. */
export async function listing(): Promise<void> {
  await withFolder(async (folder) => {
    for (const name of ['filesystem', 'memory', 'everything']) {
      const server = [official(name), ...(name === 'filesystem' ? [folder] : [])]
      const database = join(folder, `${name}.db`)
      const direct = await toolsOf(server)
      const behind = ['--db', database, '--name', name, '--', process.execPath, ...server]
      compare(name, direct, await toolsOf([countersign, 'wrap', ...behind]))
    }
  })
}

function compare(server: string, direct: readonly Tool[], wrapped: readonly Tool[]): void {
  const own = new Map(direct.map((tool) => [tool.name, tool]))
  const kept = wrapped.filter(({ name }) => own.has(name))
  const writes = kept.filter(({ annotations }) => annotations?.readOnlyHint === false)
  const reads = kept.filter((tool) => !writes.includes(tool))
  const ours = wrapped.filter(({ name }) => !own.has(name))
  console.log(`listing: ${server}, ${reads.length} reads and ${writes.length} writes; bytes of JSON`)
  console.log()
  console.log(
    table([['', 'directly', 'wrapped', 'added', 'to each read', 'to each write', 'our own tools'], ...views.map(row)]),
  )
  console.log()

  function row([title, of]: (typeof views)[number]): string[] {
    const total = (tools: readonly Tool[]): number => tools.reduce((sum, tool) => sum + size(of(tool)), 0)
    const [before, after] = [total(direct), total(wrapped)]
    const addedTo = (tools: readonly Tool[]): string =>
      String(median(tools.map((tool) => size(of(tool)) - size(of(own.get(tool.name) ?? tool)))))
    const share = before === 0 ? '' : `${(((after - before) / before) * 100).toFixed(0)} %`
    return [title, String(before), String(after), share, addedTo(reads), addedTo(writes), String(total(ours))]
  }
}

/** What hosts hand on to a model, everything that the list says, and the parts of it that are for programs. */
const views: readonly (readonly [string, (tool: Tool) => object | undefined])[] = [
  ['name, description, inputSchema', ({ name, description, inputSchema }) => ({ name, description, inputSchema })],
  ['the whole entry', (tool) => tool],
  ['  outputSchema', ({ outputSchema }) => outputSchema],
  ['  annotations', ({ annotations }) => annotations],
  ['  _meta', ({ _meta: meta }) => meta],
]

const size = (value: object | undefined): number => (value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value)))

async function toolsOf(args: readonly string[]): Promise<readonly Tool[]> {
  const client = new Client({ name: 'bench', version: '1' })
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [...args], stderr: 'ignore' }))
  try {
    return (await client.listTools()).tools
  } finally {
    await client.close()
  }
}
