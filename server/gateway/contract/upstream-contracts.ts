// An upstream tool is one more contract, whose `run` goes over the wire; so rail, gate and record apply to it unchanged.
// Through which call tool it is called decides what it is where its server says nothing, so a tool has a contract for each.
import type { CardBlock } from '../../model/card.ts'
import type { Contract, ToolContext } from '../../tools/contract.ts'
import { riskAtMost } from '../../tools/define-tool.ts'
import { checkerOf, type SchemaCheck } from './argument-check.ts'
import { variantFor, type Variant } from '../call-tools/call-with.ts'
import type { ToolDefinition } from '../upstream/definitions/definition.ts'
import type { DryRun } from './dry-run.ts'
import type { HeldChange, PinnedTool } from '../upstream/definitions/pins.ts'
import { qualifiedName } from '../upstream/qualified-name.ts'
import type { ProgramLanguage } from '../programs/read-program.ts'
import { possibleAssessments, riskOfTool, type Assessed } from '../rating/assess.ts'
import { languagesOf, loadParsers } from '../rating/program-arguments.ts'
import { outputPromise } from './output-promise.ts'
import { findSuspicious, type Finding, type OtherServersTools } from '../upstream/definitions/prompt-injection.ts'
import { rulesFor } from '../rules/tool-overrides.ts'
import { describe } from './tool-words.ts'
import type { Upstream } from '../upstream/upstream.ts'
import { profileOf, programsOf, type KnownServer, type ToolProfile } from '../profiles/tool-profile.ts'
import { questionOf, type Siblings } from './why-not-read.ts'
import type { Views } from '../passthrough/views.ts'
import { makeContract } from './make-contract.ts'

/** A contract in front of an upstream tool. */
export type UpstreamContract = Contract & {
  readonly wire: string
  readonly passes: true
  /** Digest of the pinned definition: the same through every call tool, so that a plan is bound to the tool and not to it. */
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
  /** The server's description, and through which call tool it is called. */
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
  /** Loads the parsers of the programs that its arguments hold. Until then, and where that fails, such a call is critical. */
  prepare(): Promise<void>
  /** What its server says of its structured content. */
  readonly promises: Contract['promises']
  /**
   * The contract for one call tool: the same one for as long as anybody has it. With all that is derived from it it is many times
   * as large as the definition, and of a thousand tools behind a gateway few are ever called.
   */
  contract(variant: Variant): UpstreamContract
}

export interface UpstreamToolOptions {
  /** Name on the wire; `server:tool` when absent. `wrap` gives the tool's own. */
  readonly wireName?: (tool: string) => string
  /** Names of the tools of other servers as they are now, for findings in descriptions. */
  readonly otherServersTools?: () => OtherServersTools
  /** What becomes of its server's views; hidden when absent. */
  readonly views?: Views
  /** Name of a cheatsheet that is served, where this server has one. */
  readonly cheatsheet?: string
  /** The reading call tool takes what is above low as well, and a person is asked; otherwise it names the right call tool. */
  readonly readVariantAsks?: boolean
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

/** What the operator was told of parsers, by where that goes. */
const toldTo = new WeakMap<NonNullable<UpstreamToolOptions['warn']>, Set<string>>()

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
  private found: { readonly of: OtherServersTools | undefined; readonly findings: readonly Finding[] } | undefined
  private checker: SchemaCheck | undefined
  private programs: readonly ProgramLanguage[] | undefined
  private promised: { readonly of: Contract['promises'] } | undefined

  constructor(upstream: Upstream, pinned: PinnedTool, options: UpstreamToolOptions, siblings: Siblings) {
    const { definition, digest, held } = pinned
    this.name = qualifiedName(upstream.name, definition.name)
    this.upstream = upstream
    this.definition = definition
    this.digest = digest
    this.held = held
    this.profile = profileOf(options.known, definition)
    // What the tool is rated does not depend on the call tool; any call tool will do to ask.
    this.assessed = possibleAssessments(questionOf(this, 'call_tool_read'))[0]
    this.callWith = variantFor(definition.annotations, this.assessed)
    // Asked of all tools whenever one server's have changed, when the rating has long been let go.
    this.isForbidden = riskAtMost(riskOfTool(questionOf(this, variantByName(this)))) === 'forbidden'
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
    const of = this.options.otherServersTools?.()
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
    this.programs ??= [...languagesOf(this.definition), ...(profile === undefined ? [] : programsOf(profile))]
    for (const problem of await loadParsers(this.programs)) {
      // It is asked before each call of each tool, and the operator is told once.
      if (options.warn === undefined) return
      const told = toldTo.get(options.warn) ?? new Set<string>()
      if (!told.has(problem)) options.warn(problem, { tool: name })
      toldTo.set(options.warn, told.add(problem))
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
 * The call tool by which a tool is known without one: to an approval, or to `apply_plan`. Both are about writes, and a read's own
 * call tool would have none.
 */
export const variantByName = ({ callWith }: Pick<UpstreamTool, 'callWith'>): Variant =>
  callWith === 'call_tool_read' ? 'call_tool_destructive' : callWith
