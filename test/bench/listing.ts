// A model reads every tool's description and schema at each turn, so what `wrap` adds to them is paid for again and again.
// The list of the official filesystem server, asked for directly and through `wrap`, byte by byte.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import type { Tool } from '@modelcontextprotocol/sdk/types.js'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { median, table } from './figures.ts'
import { withFolder } from './processes.ts'

const fromHere = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const filesystem = fromHere('../../node_modules/@modelcontextprotocol/server-filesystem/dist/index.js')
const countersign = fromHere('../../server/cli/countersign.ts')

/** Measures and prints. */
export async function listing(): Promise<void> {
  await withFolder(async (folder) => {
    const direct = await toolsOf([filesystem, folder])
    const database = join(folder, 'countersign.db')
    const behind = ['--db', database, '--name', 'files', '--', process.execPath, filesystem, folder]
    const wrapped = await toolsOf([countersign, 'wrap', ...behind])
    const own = new Map(direct.map((tool) => [tool.name, tool]))
    const writes = wrapped.filter(({ name, annotations }) => own.has(name) && annotations?.readOnlyHint === false)
    console.log(
      `listing: ${direct.length} tools of the filesystem server, ${writes.length} of them write; bytes of JSON`,
    )
    console.log()
    console.log(table([['', 'directly', 'wrapped', 'added', 'to each write'], ...views.map(row)]))

    function row([title, of]: (typeof views)[number]): string[] {
      const [before, after] = [size(direct.map(of)), size(wrapped.map(of))]
      const added = writes.map((tool) => size(of(tool)) - size(of(own.get(tool.name) ?? tool)))
      const share = `${(((after - before) / before) * 100).toFixed(0)} %`
      return [title, String(before), String(after), share, String(median(added))]
    }
  })
}

/** What hosts hand on to a model, and everything that the list says. */
const views: readonly (readonly [string, (tool: Tool) => object])[] = [
  ['name, description, inputSchema', ({ name, description, inputSchema }) => ({ name, description, inputSchema })],
  ['the whole entry', (tool) => tool],
]

const size = (value: object): number => Buffer.byteLength(JSON.stringify(value))

async function toolsOf(args: readonly string[]): Promise<readonly Tool[]> {
  const client = new Client({ name: 'bench', version: '1' })
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [...args], stderr: 'ignore' }))
  try {
    return (await client.listTools()).tools
  } finally {
    await client.close()
  }
}
