// An engine with real parts, and tools whose risk a test can choose: a real store, an agent, a person who gives permissions.
import { randomBytes, randomUUID } from 'node:crypto'
import { z } from 'zod'
import { approverFrom, type ApproverOf, type PeopleAccounts } from '../../../../server/rail/authorize/approver-of.ts'
import { call } from '../../../../server/rail/call.ts'
import type { Role } from '../../../../server/model/operators.ts'
import { grantableTool } from '../../../../server/operators/grant-offers.ts'
import type { GrantDraft, Grant } from '../../../../server/model/grants.ts'
import type { Answer } from '../../../../server/rail/answers/outcome.ts'
import { defaultSettings, type Caller, type Engine, type EngineSettings } from '../../../../server/rail/engine.ts'
import { newGrantId } from '../../../../server/confirm/secret.ts'
import { openStore, type Store } from '../../../../server/store/store.ts'
import { createCatalog } from '../../../../server/tools/catalog.ts'
import type { Contract, WriteContract } from '../../../../server/tools/contract.ts'
import type { Risk } from '../../../../server/model/risk.ts'
import { freshDatabase, present, testSecret } from '../../../postgres.ts'
import { caller, requestOf } from '../../../kit/calls.ts'
import { writeTool } from '../../../kit/tools.ts'

export interface DeskOptions {
  /** Who gave permissions, as they are now; everybody here is active when absent. */
  readonly approverOf?: ApproverOf
  readonly risk?: WriteContract['risk']
  readonly dryRunRequired?: boolean
  readonly stepUp?: 'always' | 'never'
  readonly description?: string
  /** The tool has an argument more. */
  readonly account?: true
  readonly permissions?: readonly string[]
  readonly settings?: Partial<EngineSettings>
  readonly now?: () => number
  /** One that no other desk has when absent. */
  readonly tenant?: string
}

interface Ran {
  readonly customer: string
  readonly total: number
}

export interface Desk {
  readonly engine: Engine
  readonly store: Store
  readonly tenant: string
  /** What the tool has done. */
  readonly ran: Ran[]
  /** What the next runs do instead of working. */
  next: ('fails' | 'breaks' | 'moves')[]
  ask(args: Readonly<Record<string, unknown>>, caller?: Partial<Caller>): Promise<Answer>
  /** Gives a permission without the steps of a door. */
  give(draft?: Partial<GrantDraft>): Promise<Grant>
}

const reason = 'The customer asked for it by phone.'

/** A contract that sends invoices: `total` and `customer` are what conditions speak of. */
function invoices(ran: Ran[], desk: Pick<Desk, 'next'>, options: DeskOptions): Contract {
  let version = 0
  return writeTool({
    name: 'invoices.send',
    title: 'Send an invoice',
    noun: 'the invoice',
    description: options.description ?? 'Sends an invoice to a customer.',
    risk: options.risk ?? 'high',
    ...(options.dryRunRequired === undefined ? {} : { dryRunRequired: options.dryRunRequired }),
    ...(options.stepUp === undefined ? {} : { stepUp: options.stepUp }),
    ...(options.permissions === undefined ? {} : { permissions: options.permissions }),
    input: z.strictObject({
      customer: z.string(),
      total: z.number(),
      note: z.string().optional(),
      ...(options.account === undefined ? {} : { account: z.string().optional() }),
    }),
    output: z.object({ sent: z.boolean() }),
    failures: { refused_by_bank: { effect: 'none', guidance: 'Ask the bank.' } },
    basis: () => String(version),
    preview: ({ customer, total }) => ({
      title: `Send an invoice to ${customer}`,
      summary: `Sends an invoice of ${total} to ${customer}.`,
      confirmLabel: 'Send',
    }),
    run: ({ customer, total }, ctx) => {
      const turn = desk.next.shift()
      if (turn === 'fails') return ctx.fail('refused_by_bank', 'The bank says no.')
      if (turn === 'breaks') throw new Error('The wire is cut.')
      if (turn === 'moves') {
        version += 1
        return ctx.stale()
      }
      ran.push({ customer, total })
      return { sent: true }
    },
  })
}

type PersonAccount = NonNullable<Awaited<ReturnType<PeopleAccounts['byId']>>>

const account = (name: string, role: Role): PersonAccount => ({
  name,
  tenant: undefined,
  roles: [role],
  subjects: [],
  state: 'active',
})

/** Who may give permissions today; whoever is not here has no account any more. */
const people: Readonly<Record<string, PersonAccount>> = {
  ac_grace: account('grace', { kind: 'admin' }),
  ac_ada: account('ada', { kind: 'admin' }),
  ac_sam: account('sam', { kind: 'approver', tools: ['*'] }),
  ac_lou: account('lou', { kind: 'approver', tools: ['*'], maxAmount: { value: '1', currency: 'EUR' } }),
  ac_eva: account('eva', { kind: 'approver', tools: ['orders_*'] }),
}

export const peopleOfToday = approverFrom({ byId: (id) => Promise.resolve(people[id]) })

let tenants = 0

/** A desk on this store, for a tenant of its own. Several desks on one store are several processes as far as the store can tell. */
export async function deskOn(store: Store, options: DeskOptions = {}): Promise<Desk> {
  const ran: Ran[] = []
  const next: Desk['next'] = []
  const tenant = options.tenant ?? `tenant ${(tenants += 1)}`
  const catalog = createCatalog([invoices(ran, { next }, options)])
  const engine: Engine = {
    catalog,
    plans: store.plans,
    activityLog: store.activityLog,
    approvals: store.approvals,
    switches: store.switches,
    grants: store.grants,
    approverOf: options.approverOf ?? peopleOfToday,
    settings: { ...defaultSettings, ...options.settings },
    owner: randomUUID(),
    random: randomBytes,
    now: options.now ?? Date.now,
    missingPermissions: () => [],
    report: (error) => (error instanceof Error ? error.message : String(error)),
  }
  await store.grants.offer(catalog.tools.flatMap((tool) => grantableTool(tool) ?? []))
  const tool = catalog.find('invoices_send')
  if (tool === undefined) throw new Error('The tool is not there.')
  return {
    engine,
    store,
    tenant,
    ran,
    next,
    ask: (args, by = {}) =>
      call(
        engine,
        requestOf(
          'invoices_send',
          { rationale: reason, ...args },
          caller({ client: 'a test', principal: { tenant, subject: 'ada' }, ...by }),
        ),
      ),
    give: (draft = {}) =>
      store.grants.create({
        id: newGrantId(randomBytes),
        tenant,
        subject: 'ada',
        tool: 'invoices_send',
        definition: tool.definition,
        risk: 'high' satisfies Risk,
        condition: 'total < 500',
        note: undefined,
        times: 3,
        per: 'total',
        until: (options.now ?? Date.now)() + 86_400_000,
        createdBy: 'grace',
        giver: 'ac_grace',
        approvalId: undefined,
        ...draft,
      }),
  }
}

export type TestStore = Awaited<ReturnType<typeof storeOn>>

/** A store on a fresh database of this project's kind, and how to be rid of both. */
export async function storeOn(now?: () => number) {
  const fresh = await freshDatabase(present)
  const stores: Store[] = []
  const open = async (): Promise<Store> => {
    const opened = await openStore({ file: fresh.url, secret: testSecret, ...(now === undefined ? {} : { now }) })
    if (!opened.ok) throw new Error(opened.failure.message)
    stores.push(opened.value)
    return opened.value
  }
  return {
    store: await open(),
    url: fresh.url,
    /** The same database once more, as another process would open it. */
    open,
    end: async () => {
      for (const store of stores) await store.close()
      await fresh.drop()
    },
  }
}
