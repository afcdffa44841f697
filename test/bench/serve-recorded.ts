// A server whose list of tools was recorded: `node serve-recorded.ts <name of the list> [so many tools]`. Where a number is
// given, the tools of all other lists follow, again and again, under names of their own. What stands in front of it is
// measured, often in front of many, so it is the least that lists tools and answers a call. Ends when its stdin does.
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { readRecorded, recordedNames } from '../profiles/recorded.ts'

const requestSchema = z.object({ id: z.union([z.number(), z.string()]).optional(), method: z.string() })

const [, , name = 'filesystem', count] = process.argv
const { serverInfo, tools: own } = readRecorded(name)
const others = count === undefined ? [] : recordedNames.flatMap((each) => readRecorded(each).tools)
const tools = Array.from({ length: Number(count ?? own.length) }, (_, at) => {
  const other = others[at % others.length]
  return own[at] ?? { ...other, name: `${other?.name}_${at}` }
})
const answers: Readonly<Record<string, unknown>> = {
  initialize: {
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: serverInfo ?? { name, version: '1' },
  },
  // Of an output schema only that there is one was recorded.
  'tools/list': {
    tools: tools.map(({ outputSchema, inputSchema, ...tool }) => ({
      ...tool,
      inputSchema: { ...inputSchema, type: 'object' },
      ...(outputSchema === true ? { outputSchema: { type: 'object' } } : {}),
    })),
  },
  'tools/call': { content: [{ type: 'text', text: 'Nothing happened.' }], structuredContent: {} },
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method } = requestSchema.parse(JSON.parse(line))
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method] ?? {} }))
}
