// What a call would change is known to its server: before a person is asked, it is read there. Only reads of the same server
// are made, each rated as any agent's would be; what they answer is shown as data, and the plan rests on it. A read that
// fails, hangs or floods holds up nothing: the card says what could not be checked.
import { createHash } from 'node:crypto'
import { valueAt, fromPointer } from '../../errors/pointer.ts'
import type { ToolContext } from '../../tools/contract.ts'
import { compiledPattern, ruleHolds } from '../rating/condition.ts'
import { canonicalText } from '../upstream/definitions/canonical.ts'
import { errorText, textOf } from '../upstream/connection/upstream-call.ts'
import { plain } from '../upstream/connection/call-failure.ts'
import { saysFailed } from '../upstream/connection/says-failed.ts'
import type { RawResult, Upstream } from '../upstream/upstream.ts'
import type { BeforeCall } from './profile.schema.ts'
import { fillArguments, fillTemplate } from './template.ts'

/** How long one read may take, in milliseconds. */
const timeoutMs = 5000
/** How much of an answer is looked at, in characters of its JSON. */
const mostCharacters = 256 * 1024

/** What one read came to. */
export type ReadBefore =
  | { readonly step: BeforeCall; readonly kind: 'answered'; readonly answer: Answer }
  /** The server says that there is nothing there yet. */
  | { readonly step: BeforeCall; readonly kind: 'none'; readonly says: string }
  | { readonly step: BeforeCall; readonly kind: 'unchecked'; readonly why: string }

/** The answer of a read: as text, and as the value that it holds. */
export interface Answer {
  readonly text: string
  readonly value: unknown
}

/** The reads of one call. A second question in the same context gets the first one's answers. */
export type AskBefore = (input: unknown, ctx: ToolContext) => Promise<readonly ReadBefore[]>

/** Whether a tool of the same server may be called with these arguments without asking; if not, why not. */
export type WhyNotRead = (tool: string, args: Readonly<Record<string, unknown>>) => string | undefined

export function createBefore(upstream: Upstream, steps: readonly BeforeCall[], whyNotRead: WhyNotRead): AskBefore {
  const asked = new WeakMap<ToolContext, Promise<readonly ReadBefore[]>>()

  async function find(step: BeforeCall, input: unknown, ctx: ToolContext): Promise<ReadBefore> {
    const args = fillArguments(step.with, input)
    const refused = whyNotRead(step.call, args)
    if (refused !== undefined) return { step, kind: 'unchecked', why: refused }
    const answer = await upstream.callTool(step.call, args, { signal: ctx.signal, timeoutMs, repeatable: true })
    const found = answer.ok
      ? outcomeOf(step, answer.value, input, upstream.name)
      : ({ step, kind: 'unchecked', why: plain(answer.failure.message) } as const)
    await ctx.audit('upstream.read_before', { tool: step.call, found: found.kind })
    return found
  }

  async function findAll(input: unknown, ctx: ToolContext): Promise<readonly ReadBefore[]> {
    const applying = steps.filter((step) => step.if === undefined || ruleHolds({ if: step.if }, input))
    return Promise.all(applying.map((step) => find(step, input, ctx)))
  }

  return (input, ctx) => {
    const known = asked.get(ctx)
    if (known !== undefined) return known
    const answers = findAll(input, ctx)
    asked.set(ctx, answers)
    return answers
  }
}

function outcomeOf(step: BeforeCall, result: RawResult, input: unknown, server: string): ReadBefore {
  if (saysFailed(result)) {
    const why = errorText(server, result)
    return step.none !== undefined && compiledPattern(step.none.matches).test(why.slice(0, 2000))
      ? { step, kind: 'none', says: fillTemplate(step.none.says, input) }
      : { step, kind: 'unchecked', why }
  }
  const size = textOf(result).length + (JSON.stringify(result.structuredContent)?.length ?? 0)
  const why = `${server} answered with ${size.toLocaleString('en')} characters, which is too much to look at.`
  return size > mostCharacters
    ? { step, kind: 'unchecked', why }
    : { step, kind: 'answered', answer: readAnswer(result) }
}

/** What a result holds: structured where its server says so, else what its text is as JSON, else the text. */
export function readAnswer(result: RawResult): Answer {
  const text = textOf(result)
  return { text, value: result.structuredContent ?? parsed(text) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The part of an answer that a pointer names; all of it as text where that is "". */
export const partOf = ({ text, value }: Answer, pointer: string): unknown =>
  pointer === '' ? (text === '' ? value : text) : valueAt(value, fromPointer(pointer))

/** Fingerprint of what the plan rests on. */
export const readsDigest = (reads: readonly ReadBefore[]): string =>
  createHash('sha256')
    .update(
      canonicalText(
        reads
          .filter(({ step }) => step.basis)
          .map((found) => [found.step.call, found.kind, found.kind === 'answered' ? found.answer : null]),
      ),
    )
    .digest('hex')
