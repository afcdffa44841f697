// The one case in which the server itself says what would happen: its own dry run. It is asked once for each preview,
// and its answer is both what the card shows and part of what the apply is held to.
import { createHash } from 'node:crypto'
import type { CardBlock } from '../../model/card.ts'
import type { ToolContext, ToolFailed } from '../../tools/contract.ts'
import { canonicalText } from '../upstream/definitions/canonical.ts'
import { saysFailed } from '../upstream/connection/says-failed.ts'
import type { ToolOverride } from '../upstream/settings/upstream-config.schema.ts'
import { patchBlocks } from '../profiles/line-diff.ts'
import { answeredIn } from './answered.ts'
import { restBlocks } from './tool-words.ts'
import { errorText, readableOf, sendCall } from '../upstream/connection/upstream-call.ts'
import type { RawResult, Upstream } from '../upstream/upstream.ts'

/** The argument with which a tool only says what it would do. */
export type DryRun = NonNullable<ToolOverride['dry_run']>

/** Asks for the dry run of one call. A second question in the same context gets the first one's answer. */
export type AskDryRun = (input: unknown, ctx: ToolContext) => Promise<RawResult | ToolFailed>

export function createDryRun(upstream: Upstream, tool: string, { parameter, value }: DryRun): AskDryRun {
  // The rail asks for the basis first and then for the preview, with one context; two answers could differ.
  const asked = new WeakMap<ToolContext, Promise<RawResult | ToolFailed>>()

  async function ask(input: unknown, ctx: ToolContext): Promise<RawResult | ToolFailed> {
    const answer = await sendCall(upstream, tool, { ...(input as object), [parameter]: value }, ctx)
    if (isFailed(answer)) return answer
    return saysFailed(answer)
      ? ctx.fail('dry_run_failed', errorText(upstream.name, answer), { answered: answeredIn(answer) })
      : answer
  }

  return (input, ctx) => {
    const known = asked.get(ctx)
    if (known !== undefined) return known
    const answer = ask(input, ctx)
    asked.set(ctx, answer)
    return answer
  }
}

export const isFailed = (value: unknown): value is ToolFailed =>
  typeof value === 'object' && value !== null && (value as { kind?: unknown }).kind === 'tool-failed'

/** Fingerprint of what a dry run said. */
export const answerDigest = (answer: RawResult): string =>
  createHash('sha256')
    .update(canonicalText([answer.content, answer.structuredContent]))
    .digest('hex')

/** What a dry run said, as a person reads it: a unified diff as a diff, anything else as it came. */
export function dryRunBlocks(answer: RawResult): readonly CardBlock[] {
  const shown = readableOf(answer)
  const more = restBlocks(answer)
  if (shown === '') return more.length > 0 ? more : [{ kind: 'text', text: 'The dry run answered nothing.' }]
  const patch = patchBlocks(withoutFence(shown), 'What would change, as the server says')
  return [...(patch ?? [{ kind: 'code', label: 'The dry run of the server says', text: shown }]), ...more]
}

/** Servers like to put a patch inside one fence of Markdown. */
const withoutFence = (text: string): string => /^(`{3,})(?:diff|patch)?\n([\s\S]*?)\n?\1\s*$/.exec(text)?.[2] ?? text
