// Every failure that the engine knows, once. It does not compile when a kind is missing.
import type { Failure } from '../../../server/errors/failure.ts'

const tool = 'orders_create'

export const each: { readonly [Kind in Failure['kind']]: Extract<Failure, { kind: Kind }> } = {
  'unknown-tool': { kind: 'unknown-tool', tool: 'order_create', near: [tool] },
  'server-unavailable': {
    kind: 'server-unavailable',
    tool,
    server: 'crm',
    state: 'down since 14:03:10 UTC (2 min): it ended at once; it is started again in 4 s',
    retryAfterSeconds: 4,
  },
  'login-needed': {
    kind: 'login-needed',
    tool,
    server: 'crm',
    why: 'crm asks for a login, and nobody has logged in.',
    command: 'countersign login crm',
    variables: ['COUNTERSIGN_DB'],
  },
  'invalid-arguments': {
    kind: 'invalid-arguments',
    tool,
    fields: [{ pointer: '/lines/0/sku', received: 'X', allowed: 'one of "A"' }],
  },
  'unstable-contract': { kind: 'unstable-contract', tool, pointer: '/at', problem: 'its parsed input is not JSON' },
  'not-permitted': { kind: 'not-permitted', tool, missing: ['orders:write'] },
  'too-many-calls': { kind: 'too-many-calls', tool, counted: 'writes', perMinute: 30, retryAfterSeconds: 12 },
  'plan-refused': { kind: 'plan-refused', tool, reason: 'unknown' },
  intent: {
    kind: 'intent',
    tool,
    code: 'intent_mismatch',
    message: 'The keys differ.',
    details: {},
    guidance: 'Use call_tool_write.',
  },
  frozen: { kind: 'frozen', tool, reason: 'Stocktaking.' },
  mismatch: { kind: 'mismatch', tool, fields: [{ pointer: '/quantity', confirmed: 2, received: 20 }] },
  stale: { kind: 'stale', tool },
  'proof-missing': { kind: 'proof-missing', tool, needed: 'recorded', brought: 'plan' },
  'outcome-unknown': { kind: 'outcome-unknown', tool, planId: 'pl_1', why: 'The process stopped.' },
  'tool-failed': {
    kind: 'tool-failed',
    tool,
    code: 'out_of_stock',
    message: 'Only 2 are left.',
    guidance: 'Order fewer.',
    retryable: 'after_change',
    fields: [{ pointer: '/quantity', received: 5, allowed: 'at most 2' }],
    suggest: { tool: 'products_search', arguments: { text: 'desk' }, why: 'shows what is in stock' },
    during: 'preview',
  },
  'tool-crashed': { kind: 'tool-crashed', tool, during: 'preview', incident: 'in_1' },
  'bad-output': { kind: 'bad-output', tool, pointer: '/id', problem: 'expected text' },
  'store-unavailable': { kind: 'store-unavailable', tool, incident: 'in_2' },
  'not-your-card': { kind: 'not-your-card', tool: 'countersign_plan_status' },
  internal: { kind: 'internal', tool, incident: 'in_3' },
}
