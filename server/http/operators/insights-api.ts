// How it goes, for programs and for the page: one tenant's figures at a time, because what agents of one tenant wrote must
// never stand in a group with what those of another did.
import { Hono, type MiddlewareHandler } from 'hono'
import { z } from 'zod'
import { operatorsTenant } from '../../operators/operator-record.ts'
import type { Engine } from '../../rail/engine.ts'
import type { Facts } from '../../operations/insights/facts.ts'
import { gatherInsights, type InsightStore } from './insight-facts.ts'
import { query, sinceSchema } from './operator-input.ts'
import { refuseApi } from '../refusal.ts'
import { visibleTenant, type Operator, type OperatorEnv } from './operator.ts'
import type { Figures } from '../../store/store.ts'

export interface InsightsApiOptions {
  readonly store: InsightStore
  /** Lets operators through and nobody else. */
  readonly guard: MiddlewareHandler<OperatorEnv>
  /** Epoch milliseconds; the system's clock when absent. */
  readonly now?: () => number
  /** What the tools that are served here say about their failures. */
  readonly guidance?: Facts['guidance']
}

const WEEK = 7 * 86_400_000
const MOST_TENANTS = 200

/** Routes below `/api/v1/insights`. */
export function createInsightsApi({ store, guard, now = Date.now, guidance }: InsightsApiOptions) {
  const filters = z.strictObject({
    since: sinceSchema(now).optional(),
    /** For a time that is over: the one before another, to compare it with. */
    until: sinceSchema(now).optional(),
    tenant: z.string().min(1, 'the name of a tenant').optional(),
  })
  return new Hono<OperatorEnv>().use(guard).get('/', query(filters), async (c) => {
    const { since, until, tenant } = c.req.valid('query')
    const at = now()
    const from = Math.min(since ?? at - WEEK, at)
    if (until !== undefined && until <= from) return noTime()
    const own = visibleTenant(c, tenant)
    const tenants = await visibleTenants(store.activity.figures, c.var.operator)
    const asked = own ?? mainTenant(tenants)
    const insights = await gatherInsights(store, {
      tenant: asked,
      since: from,
      until,
      now: at,
      guidance: guidance ?? (() => undefined),
    })
    // The name that was asked for, and not the one that stands for "nobody".
    return c.json({ tenants, ...insights, tenant: tenant ?? asked })
  })
}

const noTime = () =>
  refuseApi(400, {
    code: 'bad-filter',
    filter: 'until',
    message: 'until is not later than since.',
    next: 'Leave out until for the time up to now.',
  })

/** Tenants that have figures and that this operator may see. What operators did stands under a name of its own. */
const visibleTenants = async (figures: Figures, { tenant }: Operator): Promise<readonly string[]> =>
  tenant === undefined ? (await figures.tenants(MOST_TENANTS)).filter((name) => name !== operatorsTenant) : [tenant]

/** What the contracts of these tools say about their own failures. */
export const declaredGuidance =
  (catalog: Pick<Engine['catalog'], 'find'>): Facts['guidance'] =>
  (tool, code) =>
    (tool === undefined ? undefined : catalog.find(tool))?.contract.failures[code]?.guidance

/** Whose figures are shown to somebody who sees all and names none. */
const mainTenant = (tenants: readonly string[]): string =>
  tenants.includes('default') ? 'default' : (tenants[0] ?? 'default')
