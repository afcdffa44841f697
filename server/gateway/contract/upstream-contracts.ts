// An upstream tool is one more contract, whose `run` goes over the wire; so rail, gate and record apply to it unchanged.
// Through which door it is called decides what it is where its server says nothing, so a tool has a contract for each.
import { z } from 'zod'
import type { CardBlock } from '../../model/card.ts'
import type { Contract, ReadContract, ToolContext } from '../../tools/contract.ts'
import { riskAtMost } from '../../tools/define-tool.ts'
import { checkerOf, inputSchemaOf, type SchemaCheck } from './argument-check.ts'
import { doorFor, type Variant } from '../doors/call-with.ts'
import type { ToolDefinition } from '../upstream/definitions/definition.ts'
import { basisOf, isClosed, previewTool, runTool, type Asks, type Called } from './called-tool.ts'
import { createDryRun, type DryRun } from './dry-run.ts'
import type { HeldChange, PinnedTool } from '../upstream/definitions/pins.ts'
import { qualifiedName } from '../upstream/pool.ts'
import { unfitToRunUnasked } from '../doors/refusals.ts'
import type { ProgramLanguage } from '../programs/read-program.ts'
import { assess, mayRunAlone, possibleAssessments, riskOfTool, type Assessed } from '../rating/assess.ts'
import { atLeast } from '../rating/evidence.ts'
import { loadParsers, programArguments } from '../rating/program-arguments.ts'
import { outputPromise } from './output-promise.ts'
import { findSuspicious, type Finding, type ForeignNames } from '../upstream/definitions/prompt-injection.ts'
import { secretRead } from '../rating/secret-answers.ts'
import { rulesFor } from '../rules/tool-overrides.ts'
import { describe, listedOf, readOf, repeatsOf, successOf, titleOf } from './tool-words.ts'
import { upstreamFailures } from '../upstream/connection/upstream-call.ts'
import type { RawResult, Upstream } from '../upstream/upstream.ts'
import { createBefore } from '../profiles/before.ts'
import { secretPointers } from '../profiles/secret-arguments.ts'
import { undoneBy, verifiedBy } from '../profiles/after.ts'
import { knownErrors } from '../profiles/known-errors.ts'
import { reportedIn } from './answered.ts'
import { profileOf, programsOf, type KnownServer, type ToolProfile } from '../profiles/tool-profile.ts'
import { onlyReads, questionOf, whyNotReadIn, type Siblings } from './why-not-read.ts'
import { hiddenViews, isForModel, type Views } from '../passthrough/views.ts'

/** A contract in front of an upstream tool. */
export type UpstreamContract = Contract & {
  readonly wire: string
  readonly passes: true
  /** Digest of the pinned definition: the same through every door, so that a plan is bound to the tool and not to it. */
  readonly pinned: string
}

/** An upstream tool with everything that can be known before the first call. */
export interface UpstreamTool {
  /** `server:tool`. */
  readonly name: string
  readonly upstream: Upstream
  /** As pinned; its `annotations` are the strictest that the server ever gave. */
  readonly definition: ToolDefinition
  /** Digest of the pinned definition. */
  readonly digest: string
  /** A change that waits for an operator; until then the tool is listed and not called. */
  readonly held: HeldChange | undefined
  readonly findings: readonly Finding[]
  readonly callWith: Variant
  /** The server's description, and through which door it is called. */
  readonly description: string
  /** The highest that a call without a rule of the operator can be. */
  readonly assessed: Assessed
  /** Whether nobody may call it, whatever its arguments are. */
  readonly isForbidden: boolean
  readonly dryRun: DryRun | undefined
  /** What is known of its server. */
  readonly known: KnownServer | undefined
  /** What the profile of its server says of it. */
  readonly profile: ToolProfile | undefined
  /** Checks arguments without calling. */
  readonly check: SchemaCheck
  /** Loads the parsers of the programs that its arguments hold. Until then, and where that fails, such a call asks. */
  prepare(): Promise<void>
  /** What its server says of its structured content. */
  readonly promises: Contract['promises']
  /**
   * The contract for one door: the same one for as long as anybody has it. With all that is derived from it it is many times
   * as large as the definition, and of a thousand tools behind a gateway few are ever called.
   */
  contract(variant: Variant): UpstreamContract
}

export interface UpstreamToolOptions {
  /** Name on the wire; `server:tool` when absent. `wrap` gives the tool's own. */
  readonly wireName?: (tool: string) => string
  /** Names of the tools of other servers as they are now, for findings in descriptions. */
  readonly foreign?: () => ForeignNames
  /** What becomes of its server's views; hidden when absent. */
  readonly views?: Views
  /** Name of a cheatsheet that is served, where this server has one. */
  readonly cheatsheet?: string
  /** The read door takes what is above low as well, and a person is asked; otherwise it names the right door. */
  readonly readDoorAsks?: boolean
  /** What is known of its server. */
  readonly known?: KnownServer | undefined
  /** A line of the server's log, for its operator. */
  readonly warn?: (message: string, about: Readonly<Record<string, string>>) => void
  /** What similar calls did before, for the preview. The tool as it is on the wire, and so in the record. */
  readonly similar?: (tool: string, input: unknown, ctx: ToolContext) => Promise<readonly CardBlock[]>
}

/** The tools of one upstream, as pinned. Make them anew when its list or its pins change. */
export const upstreamTools = (
  upstream: Upstream,
  pinned: readonly PinnedTool[],
  options: UpstreamToolOptions = {},
): readonly UpstreamTool[] => {
  const siblings = new Map<string, UpstreamTool>()
  for (const tool of pinned)
    siblings.set(tool.definition.name, new PinnedUpstreamTool(upstream, tool, options, siblings))
  return [...siblings.values()]
}

/** A class, because of a thousand tools few are ever called: what is made for a call is a function of all of them (ADR 49). */
class PinnedUpstreamTool implements UpstreamTool {
  readonly name: string
  readonly upstream: Upstream
  readonly definition: ToolDefinition
  readonly digest: string
  readonly held: HeldChange | undefined
  readonly callWith: Variant
  readonly assessed: Assessed
  readonly isForbidden: boolean
  readonly dryRun: DryRun | undefined
  readonly profile: ToolProfile | undefined
  private readonly options: UpstreamToolOptions
  private readonly siblings: Siblings
  private contracts: Map<Variant, WeakRef<UpstreamContract>> | undefined
  private found: { readonly of: ForeignNames | undefined; readonly findings: readonly Finding[] } | undefined
  private checker: SchemaCheck | undefined
  private programs: readonly ProgramLanguage[] | undefined
  private warned: Set<string> | undefined
  private promised: { readonly of: Contract['promises'] } | undefined

  constructor(upstream: Upstream, pinned: PinnedTool, options: UpstreamToolOptions, siblings: Siblings) {
    const { definition, digest, held } = pinned
    this.name = qualifiedName(upstream.name, definition.name)
    this.upstream = upstream
    this.definition = definition
    this.digest = digest
    this.held = held
    this.profile = profileOf(options.known, definition)
    // What the tool is rated does not depend on the door; any door will do to ask.
    this.assessed = possibleAssessments(questionOf(this, 'call_tool_read'))[0]
    this.callWith = doorFor(definition.annotations, this.assessed)
    // Asked of all tools whenever one server's have changed, when the rating has long been let go.
    this.isForbidden = riskAtMost(riskOfTool(questionOf(this, doorByName(this)))) === 'forbidden'
    this.dryRun =
      rulesFor(upstream.config.tools, definition.name)?.dry_run ??
      (this.profile?.lowers === true ? this.profile.dry_run : undefined)
    this.options = options
    this.siblings = siblings
  }

  get known(): KnownServer | undefined {
    return this.options.known
  }

  get description(): string {
    return `${describe(this.definition, this.upstream)} Call it with ${this.callWith}.`
  }

  get findings(): readonly Finding[] {
    const of = this.options.foreign?.()
    if (this.found === undefined || this.found.of !== of)
      this.found = { of, findings: findSuspicious(this.definition, of) }
    return this.found.findings
  }

  get check(): SchemaCheck {
    return (this.checker ??= checkerOf(this.definition.inputSchema))
  }

  get promises(): Contract['promises'] {
    return (this.promised ??= { of: outputPromise(this.definition.outputSchema) }).of
  }

  async prepare(): Promise<void> {
    const { name, profile, options } = this
    this.programs ??= [...programArguments(this.definition), ...(profile === undefined ? [] : programsOf(profile))]
    for (const problem of await loadParsers(this.programs)) {
      // It is asked before each call, and its operator is told once.
      this.warned ??= new Set()
      if (!this.warned.has(problem)) options.warn?.(`${name}: ${problem}`, { tool: name })
      this.warned.add(problem)
    }
  }

  contract(variant: Variant): UpstreamContract {
    this.contracts ??= new Map()
    const known = this.contracts.get(variant)?.deref()
    if (known !== undefined) return known
    const made = makeContract(this, variant, this.options, this.siblings)
    this.contracts.set(variant, new WeakRef(made))
    return made
  }
}

/**
 * The door by which a tool is known without one: to an approval, or to `apply_plan`. Both are about writes, and a read's own
 * door would have none.
 */
export const doorByName = ({ callWith }: Pick<UpstreamTool, 'callWith'>): Variant =>
  callWith === 'call_tool_read' ? 'call_tool_destructive' : callWith

function makeContract(
  tool: UpstreamTool,
  variant: Variant,
  options: UpstreamToolOptions,
  siblings: Siblings,
): UpstreamContract {
  const { upstream, definition, profile } = tool
  const question = questionOf(tool, variant)
  const whyNotRead = whyNotReadIn(siblings, upstream.config)
  const knows = knownErrors(tool, { siblings, whyNotRead, wireName: options.wireName })
  const called: Called = { tool, question, options, knows }
  const possible = possibleAssessments(question)
  const operation = possible.map((assessed) => assessed.operation).reduce(atLeast)
  const risk = riskOfTool(question)
  const override = rulesFor(upstream.config.tools, definition.name)
  const rules = [...(override?.when ?? []), ...(profile?.when ?? [])]
  const { promises } = tool
  const secrets = secretPointers(profile?.show)
  const common = {
    name: tool.name,
    wire: options.wireName?.(definition.name) ?? tool.name,
    passes: true,
    sparing: definition.annotations?.destructiveHint === false,
    pinned: tool.digest,
    listed: listedOf(definition),
    title: titleOf(definition),
    description: describe(definition, upstream),
    category: upstream.name,
    permissions: [...upstream.config.permissions, ...(override?.permissions ?? profile?.permissions ?? [])],
    external: definition.annotations?.openWorldHint !== false,
    ...(options.cheatsheet === undefined ? {} : { cheatsheet: options.cheatsheet }),
    input: inputSchemaOf(definition.inputSchema, tool.check, rules, unfitToRunUnasked(question, options)),
    reported: (output: unknown, input: unknown) => reportedIn(called, output as RawResult, input),
    // Whatever the upstream answers is passed on as the same value: no schema of ours looks at it.
    output: z.unknown().meta({ type: 'object' }),
    prepare: () => tool.prepare(),
    ...(promises === undefined ? {} : { promises }),
    ...(secrets.length === 0 ? {} : { secrets: { arguments: secrets } }),
    // A view does not know our parameters, and what only it may call is called by nobody else.
    ...(isForModel(definition) ? {} : { rationale: 'optional' as const }),
  } as const
  const view = (options.views ?? hiddenViews).tool(definition)
  const isRelaxed = upstream.config.rationale === 'optional' || view?.visibility?.includes('model') === false
  const readAt = (rated: ReadContract['risk']): ReadContract & typeof common => ({
    ...common,
    operation: 'read',
    risk: rated,
    failures: upstreamFailures(true),
    ...(isRelaxed && riskAtMost(rated) === 'low' ? { rationale: 'optional' } : {}),
    ...(view === undefined ? {} : { ui: view }),
    run: (input, ctx) => runTool(called, true, input, ctx),
    cards: { result: (input, output) => readOf(tool, input, output as RawResult, options.wireName !== undefined) },
  })
  if (operation === 'read') return readAt(risk)
  // Where nothing above low is applied through the read door, nothing is asked of the server there either.
  const asked =
    tool.dryRun === undefined || isClosed(called) ? undefined : createDryRun(upstream, definition.name, tool.dryRun)
  // What a dry run says of a file of secrets is what stands in it.
  const dryRun: Asks['dryRun'] =
    asked && ((input, ctx) => (secretRead(definition, input) === undefined ? asked(input, ctx) : undefined))
  const steps = (profile?.before ?? []).filter(
    (step) => siblings.has(step.call) || 'rows_of' in step || step.optional !== true,
  )
  const before =
    steps.length === 0 || isClosed(called)
      ? undefined
      : createBefore(upstream, steps, whyNotRead, definition.inputSchema)
  const asks = { dryRun, before }
  const alone = mayRunAlone(question, override?.autonomous === true)
  return {
    ...common,
    operation,
    risk,
    failures: upstreamFailures(
      false,
      override?.error_effect ?? (profile?.lowers === true ? profile.error_effect : undefined),
    ),
    noun: `the call of ${tool.name}`,
    autonomous: alone,
    // What is previewed is shown on our card; only where nobody is asked is there nothing to show but the result.
    ...(possible.every((each) => each.operation === 'read' || each.onlyAnswers === true) ? { onlyAnswers: true } : {}),
    ...(view === undefined || (alone !== true && isForModel(definition)) ? {} : { ui: view }),
    sideEffects: [
      {
        what: `Whatever ${definition.name} does on ${upstream.name}.`,
        onRepeat: repeatTexts[repeatsOf(tool)],
      },
    ],
    idempotency: 'plan',
    ...(dryRun === undefined || tool.dryRun === undefined ? {} : { dryRun: tool.dryRun }),
    preview: (input, ctx) => previewTool(called, asks, input, ctx),
    basis: async (input, ctx) => basisOf(called, asks, input, ctx),
    run: (input, ctx) => runTool(called, false, input, ctx),
    ...(possible.some(onlyReads)
      ? { reading: { when: (input) => onlyReads(assess(question, input)), contract: readAt('low') } }
      : {}),
    ...verifiedBy(tool, whyNotRead),
    ...undoneBy(tool, options.wireName ?? ((name) => qualifiedName(upstream.name, name))),
    cards: { success: (input, output) => successOf(tool, input, output as RawResult, options.wireName !== undefined) },
  }
}

const repeatTexts: Readonly<Record<ReturnType<typeof repeatsOf>, string>> = {
  harmless: 'A repeat has no further effect.',
  again: 'A repeat does it a second time.',
  'said harmless': 'Its server says that a repeat has no further effect.',
  unknown: 'A repeat may do it a second time.',
}
