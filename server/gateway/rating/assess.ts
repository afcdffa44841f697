// What a call of somebody else's tool is worth asking a person about: what the operator says of this very tool is final;
// what the operator says of its server stands in place of annotations; the rest is the rating of the tool itself.
import type { RiskRule } from '../../tools/contract.ts'
import type { Operation, Risk } from '../../model/risk.ts'
import { riskRank } from '../../tools/define-tool.ts'
import type { Variant } from '../call-tools/call-with.ts'
import { ruleHolds } from '../rules/condition.ts'
import type { ServerConfig, ToolOverride, ToolRule } from '../upstream/settings/upstream-config.schema.ts'
import { rulesFor } from '../rules/tool-overrides.ts'
import { declaredBy, rateTool, type Assessed, type Ground, type Rating } from './rating.ts'
import { atLeast, type RatedTool } from './evidence.ts'
import { mayAnswerSecrets, secretRead } from './secret-answers.ts'
import { rangeByProfile, ratedByProfile, type ToolProfile } from '../profiles/tool-profile.ts'
import type { Undeclared } from './undeclared-arguments.ts'

export type { Assessed } from './rating.ts'

export interface RiskQuestion {
  /** The tool as it is pinned. */
  readonly tool: RatedTool
  readonly variant: Variant
  readonly server: Pick<ServerConfig, 'default_risk' | 'tools'>
  /** What the profile of its server says of the tool. */
  readonly profile?: ToolProfile | undefined
}

/** Reading a definition takes longer than rating a call of it, and of a thousand tools few are called. */
const ratingsOfTools = new WeakMap<RatedTool, WeakRef<Rating>>()

function ratingOf(tool: RatedTool): Rating {
  const known = ratingsOfTools.get(tool)?.deref()
  if (known !== undefined) return known
  const made = rateTool(tool)
  ratingsOfTools.set(tool, new WeakRef(made))
  return made
}

const groundOf = ({ server }: RiskQuestion): Ground | undefined =>
  server.default_risk === undefined
    ? undefined
    : { risk: server.default_risk, reason: 'The operator set it for this server.' }

/** Risk and operation of one call. */
export function assess(question: RiskQuestion, args: unknown): Assessed {
  const override = overrideOf(question)
  const rule = ruleFor(override, args)
  const rated = rateCall(question, args)
  return settle(rated, rule?.risk ?? override?.risk, rule?.operation ?? override?.operation, rule !== undefined)
}

/** A read that asks all the same because of what it answers, through whatever call tool. */
function rateCall(question: RiskQuestion, args: unknown): Assessed {
  const rated = rateByTool(question, args)
  if (riskRank(rated.risk) >= riskRank('high')) return rated
  const secret = secretRead(question.tool, args)
  return secret === undefined || !readsByReadVariant(question, rated, args)
    ? rated
    : { ...secret, operation: atLeast(secret.operation, rated.operation) }
}

/** Whether a call only reads, also where its call tool says more than the tool does. */
const readsByReadVariant = (question: RiskQuestion, rated: Assessed, args: unknown): boolean =>
  rated.operation === 'read' || rateByTool({ ...question, variant: 'call_tool_read' }, args).operation === 'read'

/** By its profile; by the general rules where there is none, or where the operator says something of the whole server. */
function rateByTool(question: RiskQuestion, args: unknown): Assessed {
  const { profile, variant } = question
  const ground = groundOf(question)
  const general = (): Assessed => ratingOf(question.tool).of(args, variant, ground)
  if (profile === undefined || ground !== undefined) return general()
  const known = throughVariant(ratedByProfile(profile, args), variant)
  return profile.lowers ? known : stricter(general(), known)
}

/** Every rating that a call can have before the operator's own rules; the first is the worst of those without a rule. */
function ratings(question: RiskQuestion): readonly [Assessed, ...Assessed[]] {
  const [first, ...others] = ratingsByTool(question)
  const byReadVariant = ratingsByTool({ ...question, variant: 'call_tool_read' })
  const mayRead = [first, ...others, ...byReadVariant].some(({ operation }) => operation === 'read')
  return mayRead ? [first, ...others, ...mayAnswerSecrets(question.tool)] : [first, ...others]
}

function ratingsByTool(question: RiskQuestion): readonly [Assessed, ...Assessed[]] {
  const { profile, variant } = question
  const ground = groundOf(question)
  const general = ratingOf(question.tool).range(variant, ground)
  if (profile === undefined || ground !== undefined) return general
  const [first, ...others] = rangeByProfile(profile).map((each) => throughVariant(each, variant))
  if (first === undefined) return general
  if (profile.lowers) return [first, ...others]
  const [worst, ...rest] = general.flatMap((each) => [first, ...others].map((known) => stricter(each, known)))
  return worst === undefined ? general : [worst, ...rest]
}

/** What writes is at least what the call tool says. */
const throughVariant = (rated: Assessed, variant: Variant): Assessed =>
  rated.operation === 'read' ? rated : { ...rated, operation: atLeast(rated.operation, declaredBy[variant]) }

const stricter = (a: Assessed, b: Assessed): Assessed => {
  const higher = riskRank(b.risk) > riskRank(a.risk) ? b : a
  return { ...higher, operation: atLeast(a.operation, b.operation) }
}

/** Whether the operator gives a risk to this very call: by its server, its tool, or a rule that holds for its arguments. */
const isRated = (question: RiskQuestion, args: unknown): boolean => {
  const override = overrideOf(question)
  const risk = ruleFor(override, args)?.risk ?? override?.risk
  return groundOf(question) !== undefined || risk !== undefined
}

/** The first rule that holds is the one that counts. */
const ruleFor = (override: ToolOverride | undefined, args: unknown): ToolRule | undefined =>
  override?.when?.find((rule) => ruleHolds(rule, args))

/** Whether a call would run unasked, and not because the operator says so. */
export const runsUnrated = (question: RiskQuestion, args: unknown): boolean =>
  !isRated(question, args) && assess(question, args).risk === 'low'

/**
 * Where a call that would run unasked carries what its tool does not declare, and nobody vouches for it: neither its
 * server, by "read-only", nor the operator.
 */
export const unvouched = (question: RiskQuestion, args: unknown): readonly Undeclared[] =>
  !isKnownRead(question) && runsUnrated(question, args) ? ratingOf(question.tool).undeclared(args) : []

/** Whether a profile vouches for every call of it, as "read-only" of its server would. */
const isKnownRead = ({ profile }: RiskQuestion): boolean =>
  profile?.lowers === true &&
  profile.operation === 'read' &&
  profile.when === undefined &&
  profile.program === undefined

/** Every assessment that some arguments can lead to; the first is the worst of those without a rule of the operator. */
export function possibleAssessments(question: RiskQuestion): readonly [Assessed, ...Assessed[]] {
  const override = overrideOf(question)
  const [worst, ...others] = ratings(question)
  const plain = (rated: Assessed): Assessed => settle(rated, override?.risk, override?.operation, false)
  const ruled = (override?.when ?? []).flatMap((rule) =>
    [worst, ...others].map((rated) =>
      settle(rated, rule.risk ?? override?.risk, rule.operation ?? override?.operation, true),
    ),
  )
  return [plain(worst), ...others.map(plain), ...ruled]
}

/**
 * The risk as a contract declares it: one word, or the highest with the rule that finds the one of a call. What is
 * forbidden with some arguments only is there all the same, and refuses such calls itself.
 */
export function riskOfTool(question: RiskQuestion): Risk | RiskRule<unknown> {
  const all = possibleAssessments(question).map(({ risk }) => risk)
  if (all.every((risk) => risk === 'forbidden')) return 'forbidden'
  const possible = all.map((risk) => (risk === 'forbidden' ? 'critical' : risk))
  const atMost = possible.reduce((a, b) => (riskRank(a) >= riskRank(b) ? a : b))
  return possible.every((risk) => risk === atMost) ? atMost : { atMost, of: (args) => assess(question, args).risk }
}

/**
 * Low runs, also where other arguments make it more; medium runs alone only where the operator says so, and what may be
 * more never does.
 */
export function mayRunAlone(question: RiskQuestion, autonomous: boolean): boolean | { when(input: unknown): boolean } {
  const possible = possibleAssessments(question).map(({ risk }) => riskRank(risk))
  if (possible.every((rank) => rank <= riskRank(autonomous ? 'medium' : 'low'))) return true
  const low = riskRank('low')
  return possible.includes(low) ? { when: (input) => assess(question, input).risk === 'low' } : false
}

const overrideOf = ({ server, tool }: RiskQuestion): ToolOverride | undefined => rulesFor(server.tools, tool.name)

/** The operator's word on top of a rating. What is not low is never a plain read: a read runs without asking. */
function settle(rated: Assessed, risk: Risk | undefined, operation: Operation | undefined, ruled: boolean): Assessed {
  if (risk === undefined && operation === undefined) return rated
  const who = ruled ? 'The operator set it for such arguments.' : 'The operator set it for this tool.'
  const so = risk ?? rated.risk
  // Where the operator lets it run, what only answers is the read that it is.
  const does = operation ?? (rated.onlyAnswers === true && so === 'low' ? 'read' : rated.operation)
  return {
    risk: so,
    operation: so === 'low' ? does : atLeast(does, 'write'),
    reasons: risk === undefined ? [...rated.reasons, who] : [who],
  }
}
