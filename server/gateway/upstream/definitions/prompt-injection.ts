// A tool's description is written by its server and read by the model as if it were the operator's. These are the marks
// of descriptions that talk to the model behind the person's back; a finding is shown and decides nothing.
import { invisibleIn } from '../../../cards/invisible-characters.ts'
import { toPointer } from '../../../errors/pointer.ts'
import { chained, type Step } from './phrase-matcher.ts'
import type { ToolDefinition } from './definition.ts'

export interface Finding {
  readonly kind: 'invisible' | 'instruction' | 'other-tool'
  /** Where in the definition, as a JSON Pointer. */
  readonly pointer: string
  /** One sentence. */
  readonly text: string
}

const step = (words: string, within = 0): Step => ({ words: new RegExp(words, 'gi'), within })

/** What stands in a text in this order is an instruction. */
const instructions: readonly (readonly [readonly Step[], string])[] = [
  [
    [
      step(String.raw`\b(?:ignore|disregard|forget|override)\b`),
      step(String.raw`\b(?:previous|prior|above|earlier|system|all)\b`, 40),
      step(String.raw`\b(?:instruction|prompt|rule|message|context)`, 30),
    ],
    'tells the model to ignore its instructions',
  ],
  [
    [
      step(String.raw`\b(?:do not|don't|never|without)\b`),
      step(String.raw`\b(?:tell|inform|mention|show|reveal|notify|ask)\w{0,10}\b`, 30),
      step(String.raw`\b(?:user|person|human|anyone)`, 30),
    ],
    'tells the model to keep something from the person',
  ],
  [
    [step(String.raw`<\/?\s{0,20}(?:important|system|instructions?|secret|admin|assistant|hidden)\b[^>]{0,200}>`)],
    'contains a tag that poses as an instruction',
  ],
  [
    [
      step(String.raw`\b(?:before|after|whenever|prior to)\b`),
      step(String.raw`\b(?:using|calling|invoking|running|use|call)\b`, 30),
      step(String.raw`\b(?:this|any|every|other)\b`, 40),
      step(String.raw`\b(?:must|always|first|need to|have to)\b`, 60),
      step(String.raw`\b(?:read|send|open|call|include|pass|fetch|copy)\b`, 60),
    ],
    'makes the use of tools depend on another step',
  ],
  [
    [
      step(String.raw`\b(?:send|post|forward|upload|exfiltrate|leak|bcc|copy)\b`),
      step(String.raw`\b(?:to|at)\b`, 60),
      step(String.raw`https?:\/\/|(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,64}\.`, 20),
    ],
    'names an address to send something to',
  ],
  [[step(String.raw`~\/\.ssh|id_rsa|\.env\b|\/etc\/passwd|\.aws\/credentials|mcp\.json`)], 'names a file with secrets'],
  [
    [step(String.raw`\b(?:you are now|act as|pretend to be|new instructions?:|system prompt)\b`)],
    'gives the model another role',
  ],
]

/** Answers the qualified name of another server's tool that a word, in lower case, could mean. */
export interface OtherServersTools {
  get(word: string): string | undefined
}

/** Findings in everything of a definition that a model reads. */
export function findSuspicious(
  definition: ToolDefinition,
  others: OtherServersTools = new Map<string, string>(),
): readonly Finding[] {
  const texts = [...textsOf(definition.raw, '')]
  return texts.flatMap(([pointer, text]) => findInText(pointer, text, others, definition.name))
}

/** The same for one text, which stands at this place. `own` is the name that it may well speak of. */
export const findInText = (pointer: string, text: string, others: OtherServersTools, own = ''): readonly Finding[] => [
  ...hidden(pointer, text),
  ...instructions
    .filter(([steps]) => chained(text, steps))
    .map(([, what]): Finding => ({ kind: 'instruction', pointer, text: `It ${what}.` })),
  ...mentioned(text, others, own).map((name): Finding => ({
    kind: 'other-tool',
    pointer,
    text: `It speaks of ${name}, a tool of another server.`,
  })),
]

function hidden(pointer: string, text: string): readonly Finding[] {
  const { count, points } = invisibleIn(text)
  if (count === 0) return []
  return [
    {
      kind: 'invisible',
      pointer,
      text: `It has ${count} invisible ${count === 1 ? 'character' : 'characters'} (${points.slice(0, 5).join(', ')}).`,
    },
  ]
}

/** Every text with its place; keys are names of parameters and read by the model as well. */
function* textsOf(value: unknown, place: string): Generator<readonly [string, string]> {
  if (typeof value === 'string') yield [place, value]
  if (typeof value !== 'object' || value === null) return
  for (const [key, member] of Object.entries(value)) {
    const inner = place + toPointer([key])
    if (key.length > 2) yield [inner, key]
    yield* textsOf(member, inner)
  }
}

/**
 * Reads the qualified names (`server:tool`) of all tools once, and answers which are not of one server. "search" or
 * "fetch" alone is just a word, and only counts with its server in front.
 */
export function otherServersTools(all: Iterable<string>): (server: string) => OtherServersTools {
  const names = new Map<string, string[]>()
  const add = (word: string, qualified: string): void =>
    void names.set(word.toLowerCase(), [...(names.get(word.toLowerCase()) ?? []), qualified])
  for (const qualified of all) {
    const bare = qualified.slice(qualified.indexOf(':') + 1)
    add(qualified, qualified)
    if (/[_-]|[a-z][A-Z]/.test(bare)) add(bare, qualified)
  }
  return (server) => ({ get: (word) => names.get(word)?.findLast((name) => !name.startsWith(`${server}:`)) })
}

function mentioned(text: string, others: OtherServersTools, own: string): readonly string[] {
  const words = new Set(text.toLowerCase().match(/[a-z0-9_.-]+(?::[a-z0-9_./-]+)?/g))
  const found = new Set<string>()
  for (const word of words) {
    const name = others.get(word.replace(/(?<![.:,-])[.:,-]+$/, ''))
    if (name !== undefined && word !== own.toLowerCase()) found.add(name)
  }
  return [...found]
}
