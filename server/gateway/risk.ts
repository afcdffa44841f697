// What a call of somebody else's tool is worth asking a person about. The operator knows best, the server's annotations
// come next, and where neither speaks the door that the agent took decides. On top of that the leading verb of the name
// raises and never lowers, even against annotations; only what the operator says of this very tool is final.
import type { Operation, Risk, RiskRule } from '../tools/contract.ts'
import { riskRank } from '../tools/define-tool.ts'
import { markedAs, type Hints, type Variant } from './call-with.ts'
import { ruleHolds } from './condition.ts'
import type { ServerConfig, ToolOverride } from './config.schema.ts'
import { leadingVerb } from './verbs.ts'

export interface Assessed {
  readonly risk: Risk
  readonly operation: Operation
  /** Why, one sentence each, in the order in which they applied. */
  readonly reasons: readonly string[]
}

export interface RiskQuestion {
  /** The upstream's own name of the tool. */
  readonly tool: string
  readonly hints: Hints | undefined
  readonly variant: Variant
  readonly server: Pick<ServerConfig, 'default_risk' | 'tools'>
}

const operationRank: Readonly<Record<Operation, number>> = { read: 0, write: 1, destructive: 2 }

const atLeast = (a: Operation, b: Operation): Operation => (operationRank[a] >= operationRank[b] ? a : b)

/** Risk and operation of one call. */
export function assess(question: RiskQuestion, args: unknown): Assessed {
  const override = overrideOf(question)
  const rule = override?.when?.find((rule) => ruleHolds(rule, args))
  return assessWith(question, rule?.risk ?? override?.risk, rule?.operation ?? override?.operation, rule !== undefined)
}

/** Every assessment that some arguments can lead to; the first is the one without any rule. */
export function possibleAssessments(question: RiskQuestion): readonly [Assessed, ...Assessed[]] {
  const override = overrideOf(question)
  const plain = assessWith(question, override?.risk, override?.operation, false)
  const ruled = (override?.when ?? []).map((rule) =>
    assessWith(question, rule.risk ?? override?.risk, rule.operation ?? override?.operation, true),
  )
  return [plain, ...ruled]
}

/** The risk as a contract declares it: one word, or the highest with the rule that finds the one of a call. */
export function riskOfTool(question: RiskQuestion): Risk | RiskRule<unknown> {
  const possible = possibleAssessments(question).map(({ risk }) => risk)
  const atMost = possible.reduce((a, b) => (riskRank(a) >= riskRank(b) ? a : b))
  return possible.every((risk) => risk === atMost) ? atMost : { atMost, of: (args) => assess(question, args).risk }
}

const overrideOf = ({ server, tool }: RiskQuestion): ToolOverride | undefined =>
  Object.hasOwn(server.tools, tool) ? server.tools[tool] : undefined

function assessWith(
  question: RiskQuestion,
  risk: Risk | undefined,
  operation: Operation | undefined,
  ruled: boolean,
): Assessed {
  const ground = groundOf(question)
  const who = ruled ? 'The operator set it for such arguments.' : 'The operator set it for this tool.'
  if (risk !== undefined) return settle(risk, operation ?? ground.operation, [who])
  const raised = raise(ground, question)
  return settle(
    raised.risk,
    operation ?? raised.operation,
    operation === undefined ? raised.reasons : [...raised.reasons, who],
  )
}

/** What is not low is never a plain read: a read runs without asking, whatever its risk. */
const settle = (risk: Risk, operation: Operation, reasons: readonly string[]): Assessed => ({
  risk,
  operation: risk === 'low' ? operation : atLeast(operation, 'write'),
  reasons,
})

/** Before any verb: what the server's entry, the annotations or the door say. */
function groundOf({ server, hints, variant }: RiskQuestion): Assessed {
  const said = saidByAnnotations(hints, variant)
  if (server.default_risk === undefined) return said
  return { risk: server.default_risk, operation: said.operation, reasons: ['The operator set it for this server.'] }
}

const declared: Readonly<Record<Variant, Operation>> = {
  call_tool_read: 'read',
  call_tool_write: 'write',
  call_tool_destructive: 'destructive',
}

function saidByAnnotations(hints: Hints | undefined, variant: Variant): Assessed {
  const marked = markedAs(hints)
  switch (marked) {
    case 'destructive':
      return { risk: 'high', operation: 'destructive', reasons: ['The server marks it as destructive.'] }
    case 'read-only':
      return { risk: 'low', operation: 'read', reasons: ['The server marks it as read-only.'] }
    case 'neither':
      return {
        risk: 'medium',
        operation: atLeast('write', declared[variant]),
        reasons: ['The server says that it writes and destroys nothing.'],
      }
    case 'nothing':
      // MCP reads an absent destructiveHint of a tool that is not read-only as true.
      if (hints?.readOnlyHint === false)
        return {
          risk: 'high',
          operation: atLeast('write', declared[variant]),
          reasons: ['The server says that it writes, and does not say that it destroys nothing.'],
        }
      return variant === 'call_tool_read'
        ? { risk: 'low', operation: 'read', reasons: ['The server says nothing; the agent says that it only reads.'] }
        : { risk: 'high', operation: declared[variant], reasons: ['The server does not say what it does.'] }
    default:
      return marked satisfies never
  }
}

function raise(ground: Assessed, { tool, hints }: RiskQuestion): Assessed {
  const found = leadingVerb(tool)
  if (found === undefined || (found.yieldsToReadOnly === true && markedAs(hints) === 'read-only')) return ground
  if (riskRank(found.risk) <= riskRank(ground.risk))
    return {
      ...ground,
      operation: ground.risk === 'low' ? ground.operation : atLeast(ground.operation, found.operation),
    }
  return {
    risk: found.risk,
    operation: atLeast(ground.operation, found.operation),
    reasons: [...ground.reasons, `Its name says "${found.verb}": it ${found.does}, so it is ${found.risk}.`],
  }
}
