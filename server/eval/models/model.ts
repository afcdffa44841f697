// A model as an evaluation asks it: one chat at a time, turn by turn. What a maker's API looks like is known to one file each.
import { fail, ok, type Result } from '../../errors/result.ts'
import type { Values } from '../stage/values.ts'

/** The makers whose APIs are spoken. */
export const providers = ['openai', 'anthropic'] as const
export type Provider = (typeof providers)[number]

/** A call as the model wrote it. */
export interface ModelCall {
  readonly id: string
  readonly tool: string
  /** `undefined` where what it wrote is no JSON object. */
  readonly args: Values | undefined
  readonly written: string
}

/** What the model answered in one turn. */
export interface Turn {
  readonly text: string
  readonly calls: readonly ModelCall[]
  /** As the API counts them; 0 where it says nothing. */
  readonly tokens: { readonly input: number; readonly output: number }
  /** It had more to say than `--max-tokens` lets it. */
  readonly isCut: boolean
}

/** What became of a call, as a host tells it to the model. */
export interface ToolAnswer {
  readonly id: string
  readonly text: string
  readonly isError: boolean
}

/** What the model is told next: the answers to the calls of its last turn, and what the person says. */
export interface Step {
  readonly answers?: readonly ToolAnswer[]
  readonly say?: string
}

export interface Chat {
  /** @throws {ModelFailure} where the API does not answer, or not with a turn. */
  next(step: Step): Promise<Turn>
}

/** A tool as it is given to a model. */
export interface OfferedTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: Readonly<Record<string, unknown>>
}

export interface Model {
  chat(given: { readonly system: string; readonly tools: readonly OfferedTool[] }): Chat
}

export interface ModelOptions {
  readonly name: string
  readonly key: string
  /** The maker's own address when absent. */
  readonly baseUrl?: string | undefined
  /** Of one answer. */
  readonly maxTokens: number
  /** The API's own when absent. */
  readonly temperature?: number | undefined
  readonly signal: AbortSignal
}

/** The model could not be asked: what happened, and what to do. It never holds a key. */
export class ModelFailure extends Error {
  readonly next: string
  constructor(message: string, next: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'ModelFailure'
    this.next = next
  }
}

const providerOfHost: readonly (readonly [RegExp, Provider])[] = [
  [/(?:^|\.)openai\.com$/, 'openai'],
  [/(?:^|\.)anthropic\.com$/, 'anthropic'],
]

/** Whose API it is, where the address or the model's name says so. */
export function guessProvider(model: string, baseUrl: string | undefined): Result<Provider, string> {
  const address = baseUrl === undefined ? undefined : new URL(baseUrl)
  const named = providerOfHost.find(([host]) => address !== undefined && host.test(address.hostname))?.[1]
  if (named !== undefined) return ok(named)
  // What speaks the OpenAI API elsewhere ends so, and nothing else does.
  if (address !== undefined)
    return /\/v1\/?$/.test(address.pathname) ? ok('openai') : fail(`${address.origin} and ${model}`)
  if (/^claude/i.test(model)) return ok('anthropic')
  return /^(?:gpt|chatgpt|o\d)/i.test(model) ? ok('openai') : fail(model)
}

/** Arguments as the API gave them: a JSON text, or an object. */
export function readCallArguments(given: unknown): Pick<ModelCall, 'args' | 'written'> {
  const written = typeof given === 'string' ? given : (JSON.stringify(given) ?? '')
  try {
    // Some APIs send nothing for a call without arguments.
    const value: unknown = typeof given === 'string' ? JSON.parse(given === '' ? '{}' : given) : (given ?? {})
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return { written, args: isObject ? (value as Values) : undefined }
  } catch {
    return { written, args: undefined }
  }
}
