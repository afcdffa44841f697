// What each part of the coaching is worth, and what it costs: a host that leaves one out is imitated by taking that part away from
// what the server says, and nothing else (docs/DESIGN.md, section 2, "Instructions to agents").
import { instructionsFor, previewStateBegins } from '../rail/answers/agent-instructions.ts'
import { coaching } from '../tools/rail-words.ts'
import type { OfferedTool } from './models/model.ts'

/** Which parts of the coaching the model gets. */
export const wordings = {
  full: { instructions: true, descriptions: true, previews: true },
  'no-instructions': { instructions: false, descriptions: true, previews: true },
  'no-descriptions': { instructions: true, descriptions: false, previews: true },
  'no-previews': { instructions: true, descriptions: true, previews: false },
  none: { instructions: false, descriptions: false, previews: false },
} as const

export type WordingName = keyof typeof wordings

export const wordingNames = Object.keys(wordings) as readonly WordingName[]

/** What is left of the server's instructions; those of a gateway say more than the rail's. */
export const instructionsIn = (wording: WordingName, instructions: string): string =>
  wordings[wording].instructions ? instructions : instructions.replace(instructionsFor(), '').trim()

/** What is left of the description of a tool. */
export const toolIn = (wording: WordingName, tool: OfferedTool): OfferedTool =>
  wordings[wording].descriptions ? tool : { ...tool, description: tool.description.replace(coaching, '').trimEnd() }

/** What is left of the text of an answer. */
export function textIn(wording: WordingName, text: string): string {
  if (wordings[wording].previews) return text
  const lines = text.split('\n')
  const at = lines.findLastIndex((line) => line.startsWith(previewStateBegins))
  return at < 0 ? text : lines.slice(0, at + 1).join('\n')
}

/** What is left of the structured content of an answer. */
export const structuredIn = (wording: WordingName, content: Readonly<Record<string, unknown>>): object =>
  wordings[wording].previews || content['status'] !== 'previewed' ? content : { ...content, next: undefined }
