// What anybody may read of a contract before the first call: agents and hosts a short form with the listing, everybody the
// whole as a resource, operators on its page. It says nothing of how the tool works.
import type { Operation, Risk } from '../model/risk.ts'
import type { Tool } from './catalog.ts'
import type { WriteContract } from './contract.ts'
import { riskAtMost } from './define-tool.ts'
import { cheatsheetUri } from './names.ts'

/** Whether a person must agree to a call before it runs, and where. */
interface ConfirmationOfTool {
  /** Of a call of the highest risk that the contract allows, under the default settings. */
  readonly required: boolean
  /** A preview that is confirmed (`rail`), a decision outside of the chat (`approval`), or the host's own prompt. */
  readonly by?: 'rail' | 'approval' | 'host'
  /** Where the contract says it: the button alone, or something that is always typed first. */
  readonly form?: 'click' | 'type-name'
}

/** The public part of a contract: the basis of `countersign://contracts/<tool>`. */
export interface PublicContract {
  readonly name: string
  readonly title: string
  /** Of a write: the thing, as a noun phrase. */
  readonly noun?: string
  readonly category: string
  readonly operation: Operation
  readonly risk: Risk
  readonly risk_depends_on_input: boolean
  readonly autonomous: boolean
  readonly permissions: readonly string[]
  readonly side_effects: readonly { readonly what: string; readonly on_repeat: string }[]
  readonly idempotency: string
  readonly external: boolean
  readonly dry_run_required: boolean
  readonly confirmation: ConfirmationOfTool
  /** Whether whoever approves gives a second factor. */
  readonly step_up?: 'never' | 'always' | 'depends_on_input'
  /** Whether it takes effect and is on record in one step: nothing of it is left where it is not applied. */
  readonly transactional: boolean
  readonly reconciles: boolean
  /** Whether its card can ask the call to end while that runs. */
  readonly cancellable: boolean
  /** What its cards can be written in. */
  readonly languages: readonly string[]
  /** Whether the person may change values of the call on its card. */
  readonly revise: boolean
  /** Whether a success may offer a call that undoes it. */
  readonly undo: boolean
  /** Whether it may offer a call for what it left undone. */
  readonly rest: boolean
  /** Lists that its card can be paged through. */
  readonly lists: readonly string[]
  /** Whether its success card shows how what it began goes on. */
  readonly follow: boolean
  readonly budget?: { readonly unit: string; readonly limit: number }
  /** Address of the cheatsheet to read first. */
  readonly cheatsheet?: string
  readonly failures: Readonly<Record<string, { readonly effect: string; readonly guidance: string }>>
  readonly audit_event: string
  readonly definition: string
}

/** The public part of a contract. */
export function publicContract(tool: Tool): PublicContract {
  const { contract } = tool
  const write = contract.operation === 'read' ? undefined : contract
  return {
    name: contract.name,
    title: contract.title,
    ...(write === undefined ? {} : { noun: write.noun }),
    category: contract.category ?? contract.name.split('.')[0] ?? contract.name,
    operation: contract.operation,
    risk: riskAtMost(contract.risk),
    risk_depends_on_input: typeof contract.risk !== 'string',
    autonomous: write?.autonomous === true,
    permissions: contract.permissions ?? [],
    side_effects: (write?.sideEffects ?? []).map((effect) => ({ what: effect.what, on_repeat: effect.onRepeat })),
    idempotency: write?.idempotency ?? 'natural',
    external: contract.external === true,
    dry_run_required: write?.dryRunRequired === true,
    confirmation: confirmationOf(tool),
    ...(write === undefined ? {} : { step_up: stepUpOf(write.stepUp ?? 'never') }),
    transactional: write?.transactional === true,
    reconciles: write?.reconcile !== undefined,
    cancellable: write?.cancellable === true,
    languages: contract.languages ?? ['en'],
    revise: write?.revise !== undefined,
    undo: write?.undo !== undefined,
    rest: write?.rest !== undefined,
    lists: Object.keys(write?.lists ?? {}),
    follow: write?.follow !== undefined,
    ...(contract.budget === undefined ? {} : { budget: { unit: contract.budget.unit, limit: contract.budget.limit } }),
    ...(contract.cheatsheet === undefined ? {} : { cheatsheet: cheatsheetUri(contract.cheatsheet) }),
    failures: Object.fromEntries(
      Object.entries(contract.failures).map(([code, { effect, guidance }]) => [code, { effect, guidance }]),
    ),
    audit_event: contract.auditEvent ?? contract.name,
    definition: tool.definition,
  }
}

/** The part of it in `_meta["countersign/contract"]`: each member is as it is in the whole, and may have fewer of its own. */
type ListedContract = Pick<PublicContract, 'name' | 'category' | 'operation' | 'risk' | 'confirmation'> &
  Partial<Pick<PublicContract, 'risk_depends_on_input' | 'permissions'>> & {
    readonly side_effects?: readonly { readonly what: string }[]
  }

/**
 * What a host or an agent decides by before it calls: who is asked, and what then happens. Every list repeats it for each
 * tool, so what is false or empty is left out, and what the listing says elsewhere, too (docs/adr/0040).
 */
export function listedContract(tool: Tool): ListedContract {
  const { name, category, operation, risk, risk_depends_on_input, permissions, side_effects, confirmation } =
    publicContract(tool)
  return {
    name,
    category,
    operation,
    risk,
    ...(risk_depends_on_input ? { risk_depends_on_input } : {}),
    ...(permissions.length === 0 ? {} : { permissions }),
    ...(side_effects.length === 0 ? {} : { side_effects: side_effects.map(({ what }) => ({ what })) }),
    confirmation,
  }
}

/** As the gate decides of a call without a ticket (`server/policy/decide.ts`), before an operator changes anything. */
export function confirmationOf({ contract, confirmation }: Tool): ConfirmationOfTool {
  if (contract.operation === 'read') return { required: false }
  const form = contract.confirmation === undefined ? {} : { form: contract.confirmation }
  const risk = riskAtMost(contract.risk)
  // Nobody can confirm it.
  if (risk === 'forbidden') return { required: true, ...form }
  if (contract.stepUp === 'always') return { required: true, by: 'approval', ...form }
  const required = risk !== 'low' && !(risk === 'medium' && contract.autonomous === true)
  if (!required) return { required, ...form }
  return { required, by: confirmation === 'host' && risk !== 'critical' ? 'host' : 'rail', ...form }
}

const stepUpOf = (rule: NonNullable<WriteContract['stepUp']>) => (typeof rule === 'string' ? rule : 'depends_on_input')
