// A task is more than its words: "save it to /tmp/a.md" needs a tool that writes files, "tomorrow" one that knows today,
// and a task of three sentences three tools. This file reads those needs out of a query; it knows English grammar and
// the look of paths and addresses, and no tool.

/** A need is a list of words that one tool should satisfy. */
interface Need {
  readonly kind: 'step' | 'path' | 'now'
  readonly text: string
}

export interface Task {
  /** The query as a whole; paths are taken out, addresses taken apart. */
  readonly text: string
  readonly needs: readonly Need[]
}

const LONGEST_QUERY = 6_000
const MOST_STEPS = 8
const MOST_PATHS = 4

const PATH = /(?<=^|[\s"'(])(?:~|\.{1,2}|[A-Za-z]:)?[\\/][^\s"',;)?]*[^\s"',;)?.]/g
const ADDRESS = /\bhttps?:\/\/\S+|\bwww\.\S+/gi
const STEP =
  /(?<=[.!?;:])\s+|[。！？；]|\n+|,\s+(?:and|then)\s+|\s+then\s+|\s+and\s+(?=(?:find|get|save|write|send|create|generate|convert|show|tell|give|make|read|summari[sz]e|draw|list|search|compare|calculate|download|provide|identify|check|delete|update|open|upload)\b)/i
const RELATIVE_TIME =
  /\b(?:today|tomorrow|yesterday|tonight|(?:this|next|last|past|coming)\s+(?:\d+\s?)?(?:h|hours?|days?|weeks?|weekend|months?|years?|monday|tuesday|wednesday|thursday|friday|saturday|sunday|morning|evening))\b/i
const WRITES = new Set(
  (
    'save saved saving store stored write written create created generate generated make draft export exported output ' +
    'put produce produced download downloaded convert converted'
  ).split(' '),
)
const TARGET = new Set('to at as on in into under file path named called'.split(' '))

/** Reads a query: the words as a whole, and what its steps, paths and times ask for. */
export function readTask(query: string): Task {
  const whole = query.slice(0, LONGEST_QUERY)
  const text = plain(whole)
  const steps = whole
    .split(STEP)
    .map((step) => plain(step).trim())
    .filter((step) => step.includes(' '))
    .slice(0, MOST_STEPS)
  return {
    text,
    needs: [
      ...(steps.length > 1 ? steps.map((text): Need => ({ kind: 'step', text })) : []),
      ...pathNeeds(whole),
      ...(RELATIVE_TIME.test(whole) ? [{ kind: 'now', text: 'get current date time' } as const] : []),
    ],
  }
}

const plain = (text: string): string =>
  text.replace(PATH, ' ').replace(ADDRESS, (address) => ` ${address.replace(/[^\p{L}\p{N}]+/gu, ' ')} url `)

function pathNeeds(query: string): Need[] {
  const texts = new Set<string>()
  for (const match of query.matchAll(PATH)) {
    const extension = /\.([A-Za-z0-9]{1,5})$/.exec(match[0])?.[1]
    const verb = isTarget(query.slice(Math.max(0, match.index - 200), match.index)) ? 'write' : 'read'
    texts.add(extension === undefined ? `${verb} directory list` : `${verb} file ${extension.toLowerCase()}`)
    if (texts.size === MOST_PATHS) break
  }
  return [...texts].map((text) => ({ kind: 'path', text }))
}

/** Whether the words before a path, in its own sentence, put something there rather than take it from there. */
function isTarget(before: string): boolean {
  const words = (before.split(/[.!?;]\s/).at(-1) ?? '').toLowerCase().match(/[a-z]+/g) ?? []
  const last = words.at(-1) ?? ''
  return WRITES.has(last) || (TARGET.has(last) && words.slice(-12).some((word) => WRITES.has(word)))
}
