// What a door hands to the rail with each call, and what the rail is given once, by whoever opens a server: stores,
// settings and clock. Doors know transports; the rail knows calls.
import type { Approvals } from '../model/approvals.ts'
import type { RationaleRule } from './intake/rationale-grace.ts'
import type { Grants } from '../model/grants.ts'
import type { PendingServer } from '../model/pending-server.ts'
import type { CallSource, Declaration, ActivityLog } from '../model/activity.ts'
import type { Switches } from '../model/switches.ts'
import type { PlanStore } from '../model/plan-store.ts'
import type { Observer } from '../model/observer.ts'
import type { Argument } from '../confirm/message.ts'
import type { Random } from '../confirm/secret.ts'
import type { RunningCalls } from './apply/running-calls.ts'
import type { ApproverOf } from './authorize/approver-of.ts'
import type { ApprovalRule } from '../policy/may-approve.ts'
import { defaultProof, type ProofTable } from '../policy/proof.ts'
import type { Failure } from '../errors/failure.ts'
import type { Catalog, Tool } from '../tools/catalog.ts'
import type { Middleware } from '../tools/middleware.ts'
import type { ToolLog } from '../tools/tool-log.ts'
import type { Claims, Principal } from '../model/principal.ts'
import type { Risk } from '../model/risk.ts'

/** Names of what a caller may do, as contracts ask for them; `all` where nobody limits it. */
export type Permissions = 'all' | readonly string[]

/** The client as the transport knows it. */
export interface Caller {
  /** Who it is, without its claims: plans are compared by it and stored with it. */
  readonly principal: Principal
  /** What the program or the verified token of this very call says of the principal. */
  readonly claims?: Claims
  /** The request that it came with, where the transport has one; its body has been read. `signal`: its client is gone. */
  readonly request?: Pick<Request, 'headers' | 'url' | 'method'> & Partial<Pick<Request, 'signal'>>
  /** From the credential that this very call came with. */
  readonly permissions: Permissions
  /** Names the session, where the transport has one; another session has another name. */
  readonly session?: string
  /** The client's own name: a label, no more. */
  readonly client: string
  /** Whether the session negotiated cards; `unknown` where the transport cannot tell. */
  readonly cards: 'yes' | 'no' | 'unknown'
  /** The operator says that this host keeps app-only tools from its model. */
  readonly trusted: boolean
  /** Headers of the transport that carry the context of a trace. */
  readonly headers?: Readonly<Record<string, string>>
  /** Languages that whoever sits at the client reads, most wanted first, where the transport says so. */
  readonly languages?: readonly string[]
}

/**
 * How a call is written in chat where the door's tool is not the tool that runs: a gateway's `call_tool_write` in front
 * of `files:edit_file`. The plan covers the inner call; only its spelling is the door's.
 */
export interface Spelling {
  readonly tool: string
  /** The door's own arguments. The inner call's stand in place of the one that is `null`, as JSON text. */
  readonly around: readonly Argument[]
  /** A read of another tool of the server, as this door would have it called; nothing where there is no such tool. */
  read?(tool: string): MeantCall | undefined
}

/** The call that may have been meant, and how it is written at its door. */
interface MeantCall {
  readonly tool: Tool
  readonly spelling: Spelling
  /** The tool's own arguments, as they came; none where they are not those of this tool. */
  readonly args?: unknown
}

/** What a door's call waits for. */
export interface CallArrival extends PendingServer {
  /** The call as its door reads it once the tools are known. */
  reread(): Partial<CallRequest>
}

export interface CallRequest {
  /** Wire name. */
  readonly tool: string
  readonly args: unknown
  readonly caller: Caller
  readonly signal: AbortSignal
  /** The tool, where the door has found it already: one upstream tool has a contract for each of a gateway's doors. */
  readonly found?: Tool
  /** What is wrong with the call at the door already. It is recorded and answered like everything else. */
  readonly refusal?: Failure
  /** Set where a door refuses the call, and knows which one was meant: another name, or through another door. */
  readonly meant?: MeantCall
  /** Set where its server must list its tools first, because they are not known yet or may have changed. */
  readonly arrival?: CallArrival
  /** By what the call is counted already. */
  readonly counted?: readonly Counter[]
  /** Since when it waited for its tool. Epoch milliseconds; the moment at which the rail is handed it when absent. */
  readonly since?: number
  /** Through which door it came; `mcp` when absent. */
  readonly source?: CallSource
  readonly spelling?: Spelling
  /** What the agent declared at a gateway's call tool, also where that was refused. */
  readonly declared?: Declaration
  /**
   * Hosts let this call through without asking anybody, and draw no card for it: a gateway's read door where that takes more
   * than reads. Neither a host's prompt nor a plan's id then stands for a person's word.
   */
  readonly unprompted?: boolean
  /**
   * Hosts draw our card for each call of what the caller named, so every answer needs one: a read's, too. Only a gateway's
   * door is there whatever it calls: at a tool's own name a card would tell a forbidden tool from one that does not exist.
   */
  readonly drawn?: 'door' | 'tool'
  /** What its card is to be written in where that is not for its reader's language to say: a part of a card, say. */
  readonly language?: string
  /** Set where the caller asked for progress. */
  readonly onProgress?: (step: {
    readonly progress: number
    readonly total?: number
    readonly message?: string
  }) => void
  /** The request's own `_meta`, without what belongs to the protocol or to us. */
  readonly meta?: Readonly<Record<string, unknown>>
  /** Said with the answer and kept in the record: an intent warning, a grace period. */
  readonly notes?: readonly string[]
}

/** Whether an Apply message repeats the arguments (`inline`), names the plan (`reference`), or which of them its length decides (`auto`). */
export type ApplyForm = 'auto' | 'inline' | 'reference'

/** What answers tell agents beside their results. */
export interface GuidanceSettings {
  /** What to do about an error. Its code, message and cause are said in any case. */
  readonly errors: boolean
  /** How much of its contract's budget a call has used. */
  readonly budget: boolean
  /** The part of the sessions that is told either, 0 to 1; all of them when absent. */
  readonly sample?: number
}

/** How calls are decided and run; each setting has a default. */
export interface EngineSettings {
  /** The server's name as its operator gave it; cards show it. */
  readonly source: string
  /** What an Apply message repeats. */
  readonly apply: ApplyForm
  /** Which proof each risk needs. */
  readonly proof: ProofTable
  /** Languages that the people at this server read, most wanted first, where their clients do not say. */
  readonly languages: readonly string[]
  /** What answers tell agents beside their results. */
  readonly guidance: GuidanceSettings
  /** `host`: the host's own prompt for each tool is the confirmation, except of critical calls. */
  readonly confirmation: 'rail' | 'host'
  /** Lets high-risk calls of these tenants run without a person. Never critical ones. */
  readonly autoApproveHigh: readonly string[] | ((tenant: string) => boolean)
  /** The operator's own rating of a tool: may raise, and explicitly lower, never below `forbidden`. */
  readonly riskOf?: (tenant: string, tool: string, declared: Risk) => Risk
  /** Who must say why a call is made. */
  readonly rationale: RationaleRule
  /** Absolute address of the web door, where one is open. */
  readonly webAddress?: string
  /** Options by which an operator's command works on the records of this server, as a shell reads them: `--db /var/desk.db`. */
  readonly operatorOptions?: string
  /** Variables that such a command needs as this server has them: `COUNTERSIGN_DB`. None when absent. */
  readonly operatorVariables?: readonly string[]
  /** Which calls take more than one approver, or another than who asks; the first that fits counts. */
  readonly approvals: readonly ApprovalRule[]
  /** How long an approval waits. */
  readonly approvalTtlMs: number
  /** How long a plan stays open. */
  readonly planTtlMs: number
  /** How much the card's click adds, once. */
  readonly clickExtendsMs: number
  /** How long a run may be silent before its owner counts as lost. Renewed at a third of it. */
  readonly leaseMs: number
  /** How long the caller waits for a run; the run itself goes on and is recorded. */
  readonly runTimeoutMs: number
  /** Arguments larger than this, as JSON text, are refused. */
  readonly maxArgumentBytes: number
}

export const defaultSettings: EngineSettings = {
  source: 'countersign',
  languages: [],
  apply: 'auto',
  proof: defaultProof,
  guidance: { errors: true, budget: true },
  confirmation: 'rail',
  autoApproveHigh: [],
  rationale: { mode: 'required' },
  approvals: [],
  approvalTtlMs: 24 * 3_600_000,
  planTtlMs: 15 * 60_000,
  clickExtendsMs: 5 * 60_000,
  leaseMs: 15_000,
  runTimeoutMs: 60_000,
  maxArgumentBytes: 1_000_000,
}

/** What a principal's limits count: all calls, those that may change something once more, and apart what its cards read. */
export type Counter = 'calls' | 'writes' | 'card_reads'

/** A limit that a call has met. */
interface LimitReached {
  readonly counted: Counter
  readonly perMinute: number
  readonly retryAfterSeconds: number
}

export interface CallLimits {
  /** Counts one call; `undefined` lets it through. */
  take(principal: Principal, counter: Counter): Promise<LimitReached | undefined>
}

/** Everything that the rail needs from outside, handed in. */
export interface Engine {
  /** The calls that run in this process; without it a card sees of a running call only since when. */
  readonly runningCalls?: RunningCalls | undefined
  readonly catalog: Catalog
  readonly plans: PlanStore
  /** The activity log. */
  readonly activityLog?: ActivityLog
  /** Without it, what lacks its proof is refused instead of handed to a person. */
  readonly approvals?: Approvals
  readonly switches?: Switches
  /** Who gave a grant, as they are now. */
  readonly approverOf?: ApproverOf
  /** Grants; without them every call that needs a person gets one. */
  readonly grants?: Grants
  readonly settings: EngineSettings
  /** Names this process in leases. */
  readonly owner: string
  readonly random: Random
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Which of these permissions the principal lacks. */
  readonly missingPermissions: (principal: Principal, permissions: readonly string[]) => readonly string[]
  /**
   * What a principal may do who is not connected now: an approved call runs with that. `undefined` where nothing that
   * they once came with is valid any more. Everything where the engine is not told.
   */
  readonly permissionsOf?: (principal: Principal) => Promise<Permissions | undefined>
  /** Counts a call against its principal's limits; says how long to wait where there were too many. */
  readonly limits?: CallLimits
  /** How long applied runs of a tool took, in milliseconds: the median, once there are enough of them. */
  readonly typicalDuration?: (of: { readonly tool: string; readonly tenant: string }) => Promise<number | undefined>
  /** Told of each call while it lasts, so that a server that closes can wait for what it has begun. */
  readonly running?: (run: Promise<unknown>) => void
  /** Counts and traces calls. */
  readonly observer?: Observer
  /** What surrounds each function of a tool, the first one outermost. */
  readonly middleware?: readonly Middleware[]
  /** Where tools write lines; nowhere when absent. It hides what looks like a secret. */
  readonly log?: ToolLog
  /** Where unexpected errors go; answers the incident's name that the caller is told. */
  readonly report: (error: unknown, where: string) => string
}
