// `retrieve_tools`: among thousands of upstream tools an agent finds the few it needs, with what it must know to call one:
// what it takes, what the server says of it, how risky we take it to be, and through which call tool it goes. An answer is read
// by a model and paid for by the word, so it is bounded, and a query that nothing serves is told so.
import { z } from 'zod'
import type { CardBlock } from '../../model/card.ts'
import type { Contract } from '../../tools/contract.ts'
import { cheatsheetAdvice } from '../../tools/catalog.ts'
import { defineOwnTool } from '../../tools/define-tool.ts'
import type { UpstreamTool } from '../contract/upstream-contracts.ts'
import type { Principal } from '../../model/principal.ts'
import { statusSentence } from '../upstream/status.ts'
import type { Upstream } from '../upstream/upstream.ts'
import { createToolIndex } from '../../search/tool-index.ts'
import { foundTool, fullForm, shortForm, withinBytes, type FoundTool } from './found-tools.ts'

const indexOf = (tools: readonly UpstreamTool[]) => ({
  of: tools,
  index: createToolIndex(
    tools.map(({ name, upstream, definition: { description = '', inputSchema, annotations } }) => ({
      name,
      server: upstream.name,
      description,
      inputSchema,
      annotations,
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

/** In bytes of JSON: a short answer stays under 1,500 tokens, whatever is found (`npm run bench -- retrieval`). */
const mostBytes = {
  short: { tools: 3600, names: 400 },
  full: { tools: 60_000, names: 500 },
} as const

/** In bytes of JSON: what stands beside the tools takes no room from them up to here. */
const usualBeside = 400

/** So many servers that are not there are named. */
const mostNamed = 5

/** How many tools are answered where a call does not say. */
const usual = { short: 10, full: 3 } as const

/** Of what does not fit, so many are named as the nearest. */
const mostNearest = 3

const input = z.strictObject({
  query: z.string().min(1).max(20_000).describe('What you want to do, in words, or the name of a tool.'),
  detail: z
    .enum(['short', 'full'])
    .optional()
    .describe(
      "'short', or nothing: one sentence and the arguments by name and type; 'full': whole descriptions and schemas, of 3 tools.",
    ),
  limit: z.int().min(1).max(100).optional().describe('At most so many tools; 10 when left out, 3 with detail full.'),
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

const output = z.strictObject({
  tools: z.array(foundTool),
  more: z.array(z.string()).optional().describe('Names of further tools that fit, for which there was no room.'),
  nearest: z.array(z.string()).optional().describe('Where nothing fits: the names that come nearest.'),
  servers: z
    .record(z.string(), z.array(z.string()))
    .optional()
    .describe('What is to be known of the servers of these tools, by their names.'),
  usage_instructions: z.string(),
  hint: z.string().optional(),
})

type Answer = z.output<typeof output>

const usage =
  "Call a tool with the variant in its call_with: call_tool_read (changes nothing, intent.operation_type 'read'), call_tool_write (creates or updates, 'write'), call_tool_destructive (deletes or cannot be undone, 'destructive'); the intent must match it. args_json is the text of one JSON object with its arguments, of which `?` marks those that may be left out. More on one tool: its name as query, with detail 'full'."

/** What `retrieve_tools` needs of the gateway. */
export interface RetrieverParts {
  readonly retriever: ReturnType<typeof createRetriever>
  /** The servers that are not there. */
  readonly missing: () => readonly Upstream[]
  /** What a server tells a model, where this caller has not heard it. */
  readonly late: (upstream: Upstream, caller: Principal) => string | undefined
}

/** The contract of `retrieve_tools`. */
export function retrieveTool({ retriever, missing, late }: RetrieverParts): Contract {
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
    cards: {
      result: (_, answer) => ({
        title: answer.tools.length === 0 ? 'No tool fits' : 'Tools that fit',
        blocks: answerBlocks(answer),
      }),
    },
    run: ({ query, detail = 'short', limit = usual[detail], filters }, ctx) => {
      const { index, of } = retriever()
      const ranked = index.search(query, { limit, filters })
      // Whoever names a server looks through what it has.
      const fits = filters?.server === undefined ? index.fits(query, ranked) : ranked.length > 0
      const hits = ranked.map(({ at, score }) => ({ tool: of[at]!, score }))
      const describe = detail === 'full' ? fullForm : shortForm
      const found = withinBytes(fits ? hits : [], describe, mostBytes[detail])
      const nearest = fits ? [] : hits.slice(0, mostNearest).map(({ tool }) => tool.name)
      const shown = new Set(found.tools.map(({ name }) => name))
      const upstreams = new Set(hits.flatMap(({ tool }) => (shown.has(tool.name) ? [tool.upstream] : [])))
      const servers = notesOnServers(upstreams, (upstream) => [
        ...(upstream.config.cheatsheet === undefined || detail === 'full' ? [] : [cheatsheetAdvice(upstream.name)]),
        ...(upstream.state().kind === 'ready' ? [] : [rememberedAs(upstream, ctx.now())]),
      ])
      // One in an answer, for brevity; the next one brings the next.
      for (const upstream of upstreams) {
        const told = late(upstream, ctx.principal)
        if (told === undefined) continue
        servers[upstream.name] = [...(servers[upstream.name] ?? []), told]
        break
      }
      const away = missing().filter((upstream) => !upstreams.has(upstream))
      const hints = [
        ...away.slice(0, mostNamed).map((upstream) => statusSentence(upstream, ctx.now())),
        ...(away.length > mostNamed ? [`${away.length - mostNamed} more servers are not there.`] : []),
        ...(fits
          ? []
          : [
              nothingFits(
                nearest,
                away.some((upstream) => upstream.identity() === undefined),
              ),
            ]),
      ]
      const beside = Buffer.byteLength(JSON.stringify([servers, hints])) - usualBeside
      const { tools, more } =
        beside <= 0
          ? found
          : withinBytes(fits ? hits : [], describe, { ...mostBytes[detail], tools: mostBytes[detail].tools - beside })
      return {
        tools: [...tools],
        ...(more.length === 0 ? {} : { more: [...more] }),
        ...(nearest.length === 0 ? {} : { nearest }),
        ...(Object.keys(servers).length === 0 ? {} : { servers }),
        usage_instructions: usage,
        ...(hints.length === 0 ? {} : { hint: hints.join(' ') }),
      }
    },
  })
}

/** `isUnheard`: whether there is a server whose tools nobody knows for certain. */
const nothingFits = (nearest: readonly string[], isUnheard: boolean): string =>
  [
    isUnheard ? 'No tool fits of those that are known so far.' : 'No tool fits.',
    ...(nearest.length === 0
      ? []
      : [`The nearest by name are ${nearest.join(', ')}; if one of them is meant, ask for it by its name.`]),
    'Say it in other words, or more generally.',
    isUnheard
      ? 'If still nothing fits, ask again when what is not there has come, or tell the person which server that is.'
      : 'If still nothing fits, tell the person that no tool here does this.',
  ].join(' ')

const rememberedAs = (upstream: Upstream, now: number): string =>
  `${statusSentence(upstream, now)} Its tools are as they were last seen; a call of one waits for it.`

/** Said once for each server, and not with each of its tools. */
const notesOnServers = (
  upstreams: ReadonlySet<Upstream>,
  notesOf: (upstream: Upstream) => string[],
): Record<string, string[]> =>
  Object.fromEntries(
    [...upstreams]
      .map((upstream) => [upstream.name, notesOf(upstream)] as const)
      .filter(([, notes]) => notes.length > 0),
  )

/** What a model reads: the short form as lines, a whole schema as the JSON that it is. */
const answerBlocks = ({ tools, more = [], servers = {}, usage_instructions: words, hint }: Answer): CardBlock[] => [
  ...(hint === undefined ? [] : [{ kind: 'text', text: hint } as const]),
  ...Object.values(servers).flatMap((notes) => notes.map((text) => ({ kind: 'text', text }) as const)),
  ...(tools.length === 0 ? [] : [{ kind: 'code', text: tools.map(linesOf).join('\n\n') } as const]),
  ...(more.length === 0 ? [] : [{ kind: 'text', text: `These fit, too: ${more.join(', ')}.` } as const]),
  { kind: 'text', text: words },
]

const linesOf = ({ name, description, arguments: args, inputSchema, annotations, risk, call_with, notes }: FoundTool) =>
  [
    `${name} (${call_with}, risk ${risk}${Object.keys(annotations).length === 0 ? '' : `, ${JSON.stringify(annotations)}`})`,
    description,
    args ?? JSON.stringify(inputSchema),
    ...(notes ?? []),
  ]
    .filter((line) => line !== '')
    .join('\n')
