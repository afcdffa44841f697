// Starts a server, makes calls that it must refuse, and writes down its answers, for recorded/ (its readme.md says how to call
// this). Paths of the machine on which it was recorded become /data (the folder of the calls) and /app.
import { readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { McpError } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { recordedFolder, type RecordedError } from './recorded.ts'

const timeout = 30_000

const { positionals, values: options } = parseArgs({
  allowPositionals: true,
  options: {
    env: { type: 'string', multiple: true, default: [] },
    cwd: { type: 'string', default: '.' },
    hide: { type: 'string', multiple: true, default: [] },
  },
})
const [name, source, callsFile, command, ...args] = positionals
if (name === undefined || source === undefined || callsFile === undefined || command === undefined)
  throw new Error('Give a name, a source (npm:<package>@<version>), a file of calls, and behind -- the command.')

/** `[["read_file", {"path": "/data/none"}], …]`; a call without an error is part of the way and is not written down. */
const calls = z
  .array(z.tuple([z.string(), z.record(z.string(), z.unknown())]))
  .parse(JSON.parse(readFileSync(callsFile, 'utf8')))

const folder = realpathSync(options.cwd)

/** What of a text names this machine, without it. */
const scrubbed = (text: string): string =>
  [[folder, '/data'] as const, ...options.hide.map((path) => [path, '/app'] as const)].reduce(
    (all, [path, stands]) => all.replaceAll(path, stands),
    text,
  )

const cut = (text: string): string => scrubbed(text).slice(0, 4000).toWellFormed()

const transport = new StdioClientTransport({
  command,
  args,
  stderr: 'ignore',
  cwd: folder,
  env: {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    ...Object.fromEntries(
      options.env.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
    ),
  },
})
const client = new Client({ name: 'record', version: '1.0.0' })
await client.connect(transport, { timeout })

const result = z.looseObject({
  isError: z.boolean().optional(),
  content: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })).default([]),
  structuredContent: z.unknown().optional(),
})

async function errorOf(tool: string, given: Record<string, unknown>): Promise<RecordedError | undefined> {
  const call = { tool, arguments: JSON.parse(scrubbed(JSON.stringify(given))) as Record<string, unknown> }
  try {
    const answer = await client.request({ method: 'tools/call', params: { name: tool, arguments: given } }, result, {
      timeout,
    })
    const text = cut(answer.content.map((block) => block.text ?? '').join('\n'))
    if (answer.isError !== true && !/^\W{0,5}(?:error|failed|\{"error)/i.test(text)) return undefined
    const { structuredContent: structured } = answer
    return {
      ...call,
      ...(answer.isError === true ? {} : { unmarked: true }),
      text,
      ...(structured === undefined ? {} : { structured: JSON.parse(scrubbed(JSON.stringify(structured))) as unknown }),
      class: '',
    }
  } catch (error) {
    if (!(error instanceof McpError)) throw error
    return { ...call, code: error.code, text: cut(error.message.replace(/^MCP error -?\d+: /, '')), class: '' }
  }
}

const errors: RecordedError[] = []
for (const [tool, given] of calls) {
  const found = await errorOf(tool, given)
  if (found !== undefined) errors.push(found)
}
await client.close()

const recorded = { source, recorded: new Date().toISOString().slice(0, 10), errors }
writeFileSync(join(recordedFolder, `${name}.json`), `${JSON.stringify(recorded, null, 2)}\n`)
console.log(`${name}: ${errors.length} errors of ${calls.length} calls`)
