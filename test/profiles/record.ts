// Starts a server and writes down what it lists, for recorded/ (its readme.md says how to call this).
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { z } from 'zod'
import { recordedFolder } from './recorded.ts'

const timeout = 60_000

/** Keywords whose value is a map of names to schemas: a property may well be called `description`. */
const maps = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']
/** Values of the server's own, which are not schemas. */
const values = ['const', 'default', 'enum', 'required']
const prose = ['$schema', '$comment', 'example', 'examples', 'markdownDescription']

const cut = (text: string, length: number): string => text.slice(0, length).toWellFormed()

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const each = (value: object, change: (key: string, value: unknown) => unknown): object =>
  Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, change(key, inner)]))

/** A schema with what checks arguments, and little of what explains them. */
function withoutProse(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutProse)
  if (!isObject(schema)) return schema
  const kept = Object.fromEntries(Object.entries(schema).filter(([key]) => !prose.includes(key)))
  return each(kept, (key, value) => {
    if (key === 'description') return cut(String(value), 120)
    if (values.includes(key)) return value
    return maps.includes(key) && isObject(value) ? each(value, (_, one) => withoutProse(one)) : withoutProse(value)
  })
}

const annotations = z.object({
  title: z.string().optional(),
  readOnlyHint: z.boolean().optional(),
  destructiveHint: z.boolean().optional(),
  idempotentHint: z.boolean().optional(),
  openWorldHint: z.boolean().optional(),
})

const page = z.looseObject({
  nextCursor: z.string().optional(),
  tools: z.array(
    z.object({
      name: z.string(),
      title: z.string().optional(),
      description: z
        .string()
        .optional()
        .transform((text) => text && cut(text, 300)),
      inputSchema: z.record(z.string(), z.unknown()).transform(withoutProse),
      outputSchema: z
        .unknown()
        .optional()
        .transform((schema) => schema !== undefined),
      annotations: annotations.optional(),
    }),
  ),
})

const { positionals, values: options } = parseArgs({
  allowPositionals: true,
  options: { env: { type: 'string', multiple: true, default: [] }, cwd: { type: 'string' } },
})
const [name, source, command, ...args] = positionals
if (name === undefined || source === undefined || command === undefined)
  throw new Error('Give a name, a source (npm:<package>@<version>), and behind -- the command of the server.')

const transport = new StdioClientTransport({
  command,
  args,
  stderr: 'inherit',
  ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  env: Object.fromEntries(
    options.env.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  ),
})
const client = new Client({ name: 'countersign', version: '0.1.0' })
await client.connect(transport, { timeout })
const tools = []
let cursor: string | undefined
do {
  const params = cursor === undefined ? {} : { cursor }
  const listed = await client.request({ method: 'tools/list', params }, page, { timeout })
  tools.push(...listed.tools)
  cursor = listed.nextCursor
} while (cursor !== undefined)
const { name: serverName, version = '' } = client.getServerVersion() ?? { name: '' }
const instructions = client.getInstructions()
await client.close()

const head = {
  source,
  recorded: new Date().toISOString().slice(0, 10),
  serverInfo: { name: serverName, version },
  ...(instructions === undefined ? {} : { instructions: cut(instructions, 400) }),
}
// One tool a line, so that a later recording shows which tools changed.
const lines = tools.map((tool) => `    ${JSON.stringify(tool)}`).join(',\n')
const file = join(recordedFolder, `${name}.json`)
writeFileSync(file, `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "tools": [\n${lines}\n  ]\n}\n`)
process.stdout.write(`${file}: ${tools.length} tools of ${serverName} ${version}\n`)
