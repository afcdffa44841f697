// What the profile of a server knows of its errors: which kind a text is, what to do in the words of that server, and a read
// that helps. The call that it proposes is made of the agent's own arguments, never of what the server wrote.
import { isDeepStrictEqual } from 'node:util'
import { redact } from '../../policy/redact.ts'
import { compiledPattern } from '../rules/condition.ts'
import type { KnownError } from '../../errors/explain/stated.ts'
import { isForModel } from '../passthrough/views.ts'
import type { Siblings } from '../contract/why-not-read.ts'
import type { UpstreamTool } from '../contract/upstream-contracts.ts'
import { qualifiedName } from '../upstream/qualified-name.ts'
import type { WhyNotRead } from './before.ts'
import type { ProfiledError } from './error.schema.ts'
import { secretPointers } from './secret-arguments.ts'
import { fillArguments } from './template.ts'

/** What is known of an error of a call with these arguments. */
export type KnowsError = (text: string, input: unknown) => Promise<KnownError | undefined>

/** Characters of a text that its patterns look at; RE2 costs more for each than the rules that are ours. */
const mostLooked = 1000

interface Surroundings {
  readonly siblings: Siblings
  /** Whether and why a call would not be made as a read. */
  readonly whyNotRead: WhyNotRead
  /** Name on the wire; `server:tool` when absent. */
  readonly wireName: ((tool: string) => string) | undefined
}

/** Reads the errors of one tool by the profile of its server. */
export function knownErrors(tool: UpstreamTool, { siblings, whyNotRead, wireName }: Surroundings): KnowsError {
  const { known, definition, upstream } = tool
  const rules = (known?.profile.errors ?? []).filter(({ tools }) => tools?.includes(definition.name) !== false)
  const nameOf = wireName ?? ((name: string) => qualifiedName(upstream.name, name))

  async function fixOf({ fix }: ProfiledError, input: unknown): Promise<KnownError['fix']> {
    if (fix === undefined) return undefined
    const target = siblings.get(fix.call)
    if (target === undefined || !isForModel(target.definition)) return undefined
    const given: Readonly<Record<string, unknown>> = { ...Object(input) }
    const args = fillArguments(fix.with, given)
    if (Object.keys(args).length < Object.keys(fix.with).length) return undefined
    // An error is read, forwarded and logged where the call itself is not: no secret of it is repeated.
    const shown = redact(given, secretPointers(tool.profile?.show)) as typeof given
    if (!isDeepStrictEqual(args, fillArguments(fix.with, shown))) return undefined
    return (await whyNotRead(fix.call, args)) === undefined
      ? { tool: nameOf(fix.call), arguments: args, why: fix.why }
      : undefined
  }

  return async (text, input) => {
    const said = text.slice(0, mostLooked)
    const rule = rules.find(({ matches }) => compiledPattern(matches).test(said))
    if (rule === undefined) return undefined
    const fix = await fixOf(rule, input)
    return {
      rule: `profile.${known?.profile.name ?? ''}.${rule.id}`,
      type: rule.class,
      ...(rule.says === undefined ? {} : { guidance: rule.says }),
      ...(fix === undefined ? {} : { fix }),
    }
  }
}
