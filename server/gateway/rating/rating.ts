// One rating for every variant. The agent's word lowers nothing. A call is low only where its server says "read-only", or
// where it says nothing and the leading word reads; and either only as long as nothing else in the name, the description,
// the schema or the arguments says otherwise. ADR 26 has the rules in words.
import type { Operation, Risk } from '../../model/risk.ts'
import { riskRank } from '../../tools/define-tool.ts'
import type { Variant } from '../call-tools/call-with.ts'
import { atLeast, type Evidence, type RatedTool } from './evidence.ts'
import type { Picked } from './selector.ts'
import { decides, readTool, type Facts } from './tool-facts.ts'
import type { Undeclared } from './undeclared-arguments.ts'

export interface Assessed {
  readonly risk: Risk
  readonly operation: Operation
  /** Why, one sentence each, in the order in which they applied. */
  readonly reasons: readonly string[]
  /** It only reads; a person is asked because of what it answers, or of what is configured where it looks. */
  readonly onlyAnswers?: true
}

/** What the operator says of a whole server, in place of its annotations. */
export interface Ground {
  readonly risk: Risk
  readonly reason: string
}

/** A tool, read once; asked for each call. */
export interface Rating {
  /** The rating of a call with these arguments, through this variant. */
  of(args: unknown, variant: Variant, ground?: Ground): Assessed
  /** The worst and the best that arguments can make of it; one where they make no difference. */
  range(variant: Variant, ground?: Ground): readonly [Assessed, ...Assessed[]]
  /** What a call carries that nobody vouches for, because the tool does not declare it and its server is silent. */
  undeclared(args: unknown): readonly Undeclared[]
}

/** What an agent says by the variant that it takes. */
export const declaredBy: Readonly<Record<Variant, Operation>> = {
  call_tool_read: 'read',
  call_tool_write: 'write',
  call_tool_destructive: 'destructive',
}

/** Reads a definition. Pure, and bounded by the size of the definition. */
export function rateTool(tool: RatedTool): Rating {
  const facts = readTool(tool)
  const { selectors } = facts
  return {
    undeclared: facts.undeclared,
    of: (args, variant, ground) =>
      rate(
        facts,
        selectors.map((each) => each.pick(args)),
        variant,
        ground,
        decides(facts) && ground === undefined ? facts.undeclared(args)[0] : undefined,
      ),
    range: (variant, ground) => {
      const worst = rate(
        facts,
        selectors.map((each) => each.worst),
        variant,
        ground,
        facts.open && ground === undefined ? { at: [], inText: false } : undefined,
      )
      if (!decides(facts)) return [worst]
      const best = rate(
        facts,
        selectors.map((each) => (each.always ? each.worst : each.mayRead ? 'reads' : 'nothing')),
        variant,
        ground,
      )
      return best.risk === worst.risk && best.operation === worst.operation ? [worst] : [worst, best]
    },
  }
}

/**
 * At the root of the arguments where it may stand anywhere. It is no read; a server that says that it destroys nothing
 * says it of this, too.
 */
function undeclaredEvidence({ marked }: Facts, { at, inText }: Undeclared): Evidence {
  const risk = marked === 'neither' ? 'medium' : 'high'
  const place = `"${at.join('.').slice(0, 100)}"`
  const reason =
    at.length === 0
      ? `A call of it may carry what the tool does not declare, so it may be ${risk}.`
      : inText
        ? `Its text at ${place} may be JSON that says more than reading, so it is ${risk}.`
        : `It carries ${place}, which the tool does not declare, so it is ${risk}.`
  return { risk, operation: 'write', reason }
}

/** `undeclared`: what the call carries beside what the tool declares; that keeps it from being a read, and no more. */
function rate(
  facts: Facts,
  picked: readonly Picked[],
  variant: Variant,
  ground: Ground | undefined,
  undeclared?: Undeclared,
): Assessed {
  // An argument that is not given filters where the name reads, and chooses where it does not.
  const raised = picked.flatMap((each, at) => {
    const evidence = each === 'unset' && !facts.named ? facts.selectors[at]?.worst : each
    return typeof evidence === 'object' ? [evidence] : []
  })
  const picksReading = picked.includes('reads')
  const rated = rateBy(facts, [...facts.against, ...raised], picksReading, variant, ground)
  return undeclared === undefined || rated.risk !== 'low'
    ? rated
    : rateBy(facts, [undeclaredEvidence(facts, undeclared)], picksReading, variant, ground)
}

function rateBy(
  facts: Facts,
  against: readonly Evidence[],
  picksReading: boolean,
  variant: Variant,
  ground: Ground | undefined,
): Assessed {
  const base =
    ground === undefined
      ? byAnnotations(facts, against.length === 0, picksReading, variant)
      : onGround(facts, ground, variant)
  // What a plain read is about does not make it more.
  const all = base.risk === 'low' && against.length === 0 ? [] : [...against, ...facts.subjects]
  return all.reduce(raise, base)
}

function raise(so: Assessed, { risk, operation, reason }: Evidence): Assessed {
  const higher = riskRank(risk) > riskRank(so.risk)
  return {
    risk: higher ? risk : so.risk,
    operation: atLeast(so.operation, operation),
    reasons: riskRank(risk) < riskRank(so.risk) ? so.reasons : [...so.reasons, reason],
  }
}

/** What annotations, and where they are silent the name, say before anything raises it. */
function byAnnotations(facts: Facts, reading: boolean, picksReading: boolean, variant: Variant): Assessed {
  const { marked, deniesReading, reads } = facts
  const write = atLeast('write', declaredBy[variant])
  // Also where it says "read-only" as well: the strictest that a server ever said is what is kept of it.
  if (marked === 'destructive')
    return { risk: 'high', operation: 'destructive', reasons: ['The server marks it as destructive.'] }
  if (marked === 'read-only')
    return reading
      ? { risk: 'low', operation: 'read', reasons: ['The server marks it as read-only.'] }
      : {
          risk: 'high',
          operation: write,
          reasons: ['The server marks it as read-only, and something contradicts that.'],
        }
  // An agent that says it writes is asked about what nobody vouches for; where the arguments decide, they decide.
  const quiet = reads !== undefined && (variant === 'call_tool_read' || decides(facts))
  if (!deniesReading && reading && (picksReading || quiet))
    return { risk: 'low', operation: 'read', reasons: [reads ?? 'Its arguments say that this call only reads.'] }
  if (marked === 'neither')
    return { risk: 'medium', operation: write, reasons: ['The server says that it writes and destroys nothing.'] }
  // MCP reads an absent destructiveHint of a tool that is not read-only as true.
  return {
    risk: 'high',
    operation: write,
    reasons: [
      deniesReading
        ? 'The server says that it writes, and does not say that it destroys nothing.'
        : 'The server does not say what it does.',
    ],
  }
}

const onGround = (facts: Facts, { risk, reason }: Ground, variant: Variant): Assessed => ({
  risk,
  operation: byAnnotations(facts, true, false, variant).operation,
  reasons: [reason],
})
