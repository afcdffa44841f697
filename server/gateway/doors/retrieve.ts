// `retrieve_tools`: among thousands of upstream tools an agent finds the few it needs, with all that it must know to
// call one: the schema, what the server says of it, how risky we take it to be, and through which door it goes.
import { z } from 'zod'
import type { CardBlock } from '../../model/card.ts'
import type { Contract } from '../../tools/contract.ts'
import { cheatsheetAdvice } from '../../tools/catalog.ts'
import { defineOwnTool } from '../../tools/define-tool.ts'
import { variants } from './call-with.ts'
import type { UpstreamTool } from '../contract/upstream-contracts.ts'
import { createToolIndex } from '../../search/tool-index.ts'

const indexOf = (tools: readonly UpstreamTool[]) => ({
  of: tools,
  byName: new Map(tools.map((tool) => [tool.name, tool])),
  index: createToolIndex(
    tools.map(({ name, upstream, definition: { description = '', inputSchema, annotations } }) => ({
      name,
      server: upstream.name,
      description,
      inputSchema,
      annotations: { ...annotations },
    })),
  ),
})

/** The index of what may be found, made anew when the tools change. */
export function createRetriever(tools: () => readonly UpstreamTool[]) {
  let indexed: ReturnType<typeof indexOf> | undefined
  return function retriever() {
    const of = tools()
    return indexed?.of === of ? indexed : (indexed = indexOf(of))
  }
}

const input = z.strictObject({
  query: z.string().min(1).max(20_000).describe('What you want to do, in words, or the name of a tool.'),
  limit: z.int().min(1).max(100).optional().describe('At most so many tools; 10 when left out.'),
  filters: z
    .strictObject({
      server: z
        .union([z.string(), z.array(z.string())])
        .optional()
        .describe('Only tools of this server, or of these.'),
      readOnlyHint: z.boolean().optional().describe('true: only tools that their server marks as read-only.'),
      destructiveHint: z.boolean().optional().describe('true: only tools that their server marks as destructive.'),
    })
    .optional(),
})

const found = z.strictObject({
  name: z.string(),
  description: z.string(),
  inputSchema: z.record(z.string(), z.unknown()),
  score: z.number(),
  annotations: z.record(z.string(), z.unknown()).describe('As its server gives them; empty where it gives none.'),
  risk: z.string(),
  call_with: z.enum(variants),
  notes: z.array(z.string()).optional(),
})

const output = z.strictObject({
  tools: z.array(found),
  usage_instructions: z.string(),
  hint: z.string().optional(),
})

const usage =
  "Call a tool with the variant in its call_with: call_tool_read (changes nothing, intent.operation_type 'read'), call_tool_write (creates or updates, 'write'), call_tool_destructive (deletes or cannot be undone, 'destructive'). Put its arguments into args_json as the text of one JSON object that fits inputSchema. The intent must match the variant."

/** The contract of `retrieve_tools`. */
export function retrieveTool(
  retriever: ReturnType<typeof createRetriever>,
  missing: () => readonly string[],
): Contract {
  return defineOwnTool({
    name: 'retrieve.tools',
    title: 'Find tools',
    category: 'gateway',
    operation: 'read',
    risk: 'low',
    description:
      'Search for tools across all upstream servers. Results include annotations (readOnlyHint, destructiveHint) and recommended call_with variant. Use call_tool_read for read-only operations, call_tool_write for modifications, call_tool_destructive for deletions. Intent must match tool variant. Call this before any of the three; each hit brings its arguments and its risk as well.',
    input,
    output,
    failures: {},
    cards: { result: (_, answer) => ({ title: 'Tools that fit', blocks: answerBlocks(answer) }) },
    run: ({ query, limit, filters }) => {
      const { index, byName } = retriever()
      const tools = index.search(query, { limit, filters }).flatMap(({ tool, score }) => {
        const upstream = byName.get(tool.name)
        return upstream === undefined ? [] : [describeHit(upstream, score)]
      })
      const hints = [
        ...(tools.length === 0 ? ['No tool fits. Say it in other words, or more generally.'] : []),
        ...missing(),
      ]
      return { tools, usage_instructions: usage, ...(hints.length === 0 ? {} : { hint: hints.join(' ') }) }
    },
  })
}

/** A model reads a schema best as the JSON that it is. */
const answerBlocks = ({ tools, usage_instructions: usage, hint }: z.output<typeof output>): CardBlock[] => [
  ...(hint === undefined ? [] : [{ kind: 'text', text: hint } as const]),
  ...tools.flatMap((tool): CardBlock[] => [
    {
      kind: 'fields',
      fields: [
        { label: 'Name', value: { kind: 'code', text: tool.name } },
        { label: 'Call with', value: { kind: 'code', text: tool.call_with } },
        { label: 'Risk', value: { kind: 'text', text: tool.risk } },
        { label: 'Its server says', value: { kind: 'code', text: JSON.stringify(tool.annotations) } },
        { label: 'Description', value: { kind: 'text', text: tool.description } },
        ...(tool.notes ?? []).map((note) => ({ label: 'Note', value: { kind: 'text', text: note } as const })),
      ],
    },
    { kind: 'code', language: 'json', label: 'Arguments', text: JSON.stringify(tool.inputSchema) },
  ]),
  { kind: 'text', text: usage },
]

function describeHit(tool: UpstreamTool, score: number): z.output<typeof found> {
  const { annotations } = tool.definition
  const notes = [
    ...(tool.held === undefined ? [] : ['Held back: its definition has changed and waits for an operator.']),
    ...tool.findings.map((finding) => `Its description looks suspicious: ${finding.text}`),
  ]
  return {
    name: tool.name,
    description: [
      ...(tool.upstream.config.cheatsheet === undefined ? [] : [cheatsheetAdvice(tool.upstream.name)]),
      ...[(tool.definition.description ?? '').trim(), `Call it with ${tool.callWith}.`].filter((part) => part !== ''),
    ].join(' '),
    inputSchema: { ...tool.definition.inputSchema },
    score: Math.round(score * 1000) / 1000,
    annotations: { ...annotations },
    risk: tool.assessed.risk,
    call_with: tool.callWith,
    ...(notes.length === 0 ? {} : { notes }),
  }
}
