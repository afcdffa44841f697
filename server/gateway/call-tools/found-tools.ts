// What an agent reads of a tool that was found. Ten whole schemas are thousands of tokens, of which it needs one; so the
// short form has what chooses between tools and makes a plain call, and the whole definition is given of few, on request.
import { z } from 'zod'
import { cheatsheetAdvice } from '../../tools/catalog.ts'
import { summaryEnd } from '../../search/tool-text.ts'
import type { UpstreamTool } from '../contract/upstream-contracts.ts'
import { riskWordsOf } from '../contract/tool-words.ts'
import { variants } from './call-with.ts'
import { signatureOf } from './signature.ts'

export const foundTool = z.strictObject({
  name: z.string(),
  description: z.string().describe('In the short form its first sentence.'),
  arguments: z
    .string()
    .optional()
    .describe('In the short form: what it takes, in the notation of TypeScript; `?` marks what may be left out.'),
  inputSchema: z.record(z.string(), z.unknown()).optional().describe('With detail `full`.'),
  score: z.number(),
  annotations: z
    .record(z.string(), z.unknown())
    .describe('As its server gives them; empty where it gives none. In the short form without a title.'),
  risk: z.string().describe('"up to" where the arguments decide.'),
  call_with: z.enum(variants),
  notes: z.array(z.string()).optional(),
})

export type FoundTool = z.output<typeof foundTool>

/** A tool that fits, 0 to 1. */
export interface Hit {
  readonly tool: UpstreamTool
  readonly score: number
}

/** In characters. */
const longest = { arguments: 320, note: 160 } as const

/** One sentence, the arguments by name and type, and how it is called. */
export function shortForm({ tool, score }: Hit): FoundTool {
  const { title: _, ...hints } = tool.definition.annotations ?? {}
  const description = plainText(tool.definition.description)
  return {
    name: tool.name,
    description: description.slice(0, summaryEnd(description)),
    arguments: signatureOf(tool.definition.inputSchema, longest.arguments),
    ...callFacts({ tool, score }),
    annotations: hints,
    ...notesOf(tool, (text) => text.slice(0, longest.note)),
  }
}

/** Everything that its server says of it. */
export const fullForm = ({ tool, score }: Hit): FoundTool => ({
  name: tool.name,
  description: [
    ...(tool.upstream.config.cheatsheet === undefined ? [] : [cheatsheetAdvice(tool.upstream.name)]),
    (tool.definition.description ?? '').trim(),
    `Call it with ${tool.callWith}.`,
  ]
    .filter((part) => part !== '')
    .join(' '),
  inputSchema: { ...tool.definition.inputSchema },
  ...callFacts({ tool, score }),
  ...notesOf(tool, (text) => text),
})

const callFacts = ({ tool, score }: Hit) => ({
  score: Math.round(score * 1000) / 1000,
  annotations: { ...tool.definition.annotations },
  risk: riskWordsOf(tool),
  call_with: tool.callWith,
})

const plainText = (text = ''): string => text.trim().replace(/\s+/g, ' ')

function notesOf(tool: UpstreamTool, cut: (text: string) => string): Pick<FoundTool, 'notes'> {
  const notes = [
    ...(tool.held === undefined ? [] : ['Held back: its definition has changed and waits for an operator.']),
    ...tool.findings.map((finding) => cut(`Its description looks suspicious: ${finding.text}`)),
  ]
  return notes.length === 0 ? {} : { notes }
}

/** The hits that fit into so many bytes of JSON, described, and the names of the others as far as there is room. */
export function withinBytes(
  hits: readonly Hit[],
  describe: (hit: Hit) => FoundTool,
  most: { readonly tools: number; readonly names: number },
): { readonly tools: readonly FoundTool[]; readonly more: readonly string[] } {
  const tools: FoundTool[] = []
  const more: string[] = []
  let left: number = most.tools
  let room: number = most.names
  for (const hit of hits) {
    const found = more.length > 0 ? undefined : describe(hit)
    const bytes = found === undefined ? Infinity : Buffer.byteLength(JSON.stringify(found))
    // The best one is given whatever its size: an answer without any would lead nowhere.
    if (found !== undefined && (bytes <= left || tools.length === 0)) {
      tools.push(found)
      left -= bytes
    } else if ((room -= Buffer.byteLength(hit.tool.name) + 3) >= 0) more.push(hit.tool.name)
  }
  return { tools, more }
}
