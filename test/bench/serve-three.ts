// Three tools over stdio, as somebody writes a server: `node serve-three.ts countersign` with this library as it is built,
// `node serve-three.ts bare` with the SDK alone. Each loads its own packages and nothing of the other's.
import { z } from 'zod'
import type * as Library from '../../server/index.ts'

const input = { name: z.string().default('a'), text: z.string() }
const kept = new Map<string, { readonly name: string; readonly text: string }>()
const names = ['keep', 'replace', 'note'] as const

if (process.argv[2] === 'countersign') {
  const built = new URL('../../dist/library/index.js', import.meta.url).href
  const { createCountersign, defineWrite } = (await import(built)) as typeof Library
  const tools = names.map((name) =>
    defineWrite({
      name: `texts.${name}`,
      risk: 'medium',
      description: 'Keeps a text under a name.',
      input: z.strictObject(input),
      output: z.strictObject({ name: z.string(), text: z.string() }),
      plan: ({ name: of, text }) => ({ before: kept.get(of), after: { name: of, text } }),
      apply: ({ after }) => {
        kept.set(after.name, after)
        return after
      },
    }),
  )
  await createCountersign({ name: 'Three', tools, store: ':memory:' }).stdio()
} else {
  const { McpServer } = await import('@modelcontextprotocol/sdk/server/mcp.js')
  const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js')
  const server = new McpServer({ name: 'Three', version: '1.0.0' })
  for (const name of names)
    server.registerTool(`texts_${name}`, { description: 'Keeps a text under a name.', inputSchema: input }, (given) => {
      kept.set(given.name, given)
      return { content: [{ type: 'text', text: JSON.stringify(given) }] }
    })
  await server.connect(new StdioServerTransport())
}
