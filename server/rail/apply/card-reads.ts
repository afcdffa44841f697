// What a card reads after it was shown: pages of a list that is longer than a card while its plan is open, and how what it
// began goes on once that is applied. It works with the arguments that the plan stored and for the plan's own principal, and
// calls nothing of a contract but `lists` and `follow`, which only read (docs/adr/0069).
import { z } from 'zod'
import { cardBlockSchema, cardPageRowsSchema, listPart } from '../../cards/card.schema.ts'
import { cardLimits } from '../../cards/limits.ts'
import { readCredential, ticketHash, type Credential } from '../../confirm/secret.ts'
import type { Failure } from '../../errors/failure.ts'
import type { Approval } from '../../model/approvals.ts'
import type { Card, CardBlock, CardPageRow } from '../../model/card.ts'
import type { Plan } from '../../model/plan-store.ts'
import { isWriteTool } from '../../tools/catalog.ts'
import type { ToolContext } from '../../tools/contract.ts'
import { appTools, cardMetaKey, pageMetaKey } from '../../tools/names.ts'
import { followedCard } from '../answers/applied-answer.ts'
import { recordedOutput } from '../answers/plan-answers.ts'
import { missingOf } from '../authorize/missing-permissions.ts'
import { callContext, plannedCall, visible, type PlannedCall } from '../call-context.ts'
import type { Caller, CallRequest, Engine } from '../engine.ts'
import { declaredFailure, invoke, toolContext } from '../invoke-contract.ts'
import { isOwn } from '../intake/named-plan.ts'
import { readShown } from '../preview/shown.ts'
import { statusOf, type PlanStatus } from './plan-tools.ts'

export type CardReadName = typeof appTools.page | typeof appTools.progress

export const isCardRead = (name: string): name is CardReadName => name === appTools.page || name === appTools.progress

/** Where in a list: the page behind `after` (its first one without), or the one row of `key`. */
const placeSchema = z.object({ list: listPart, after: listPart.optional(), key: listPart.optional() })

export type ListPlace = z.infer<typeof placeSchema>

const ticket = z.string().max(64)
const pageArguments = placeSchema.extend({ ticket }).strict()
const progressArguments = z.strictObject({ ticket })

/** A page of a list, or one row of it in full: without blocks where there is no such row any more. */
export type ListAnswer =
  | { readonly list: string; readonly rows: readonly CardPageRow[]; readonly next?: string | undefined }
  | { readonly list: string; readonly key: string; readonly blocks?: readonly CardBlock[] | undefined }

/** What was read, or why not; nothing where there is nothing of the kind that this caller may read. */
type Read<T> = { readonly kind: 'read'; readonly value: T } | Failure | undefined

/** The plan's state, which a host may show to its model, and what only its card gets, under its key of `_meta`. */
export interface CardRead {
  readonly kind: 'read'
  readonly status: PlanStatus
  readonly meta: Readonly<Record<string, unknown>>
}

/** Serves one of the two tools. Somebody else's plan, and one in another state, look like none at all. */
export async function readForCard(
  engine: Engine,
  caller: Caller,
  { name, args, signal }: { readonly name: CardReadName; readonly args: unknown; readonly signal: AbortSignal },
): Promise<CardRead | Failure> {
  const reached = await engine.limits?.take(caller.principal, 'card_reads')
  if (reached !== undefined) return { kind: 'too-many-calls', tool: name, ...reached }
  const found =
    name === appTools.page ? await pageOf(engine, caller, args, signal) : await progressOf(engine, caller, args, signal)
  if (found === undefined) return { kind: 'not-your-card', tool: name }
  if (found.kind !== 'read') return found
  const { plan, key, shown } = found.value
  return { kind: 'read', status: await statusOf(engine, plan), meta: { [key]: shown } }
}

interface Shown {
  readonly plan: Plan
  readonly key: string
  readonly shown: ListAnswer | Card
}

async function pageOf(engine: Engine, caller: Caller, args: unknown, signal: AbortSignal): Promise<Read<Shown>> {
  const given = pageArguments.safeParse(args)
  // Only the ticket: an agent knows the plan's id before anybody has confirmed anything.
  const credential = given.success ? readCredential(given.data.ticket) : undefined
  if (!given.success || credential?.kind !== 'ticket') return undefined
  const call = await ownCall(engine, caller, credential, signal)
  if (call?.kind !== 'read') return call
  const read = await readList(inLanguageOfCard(call.value), given.data)
  return read?.kind === 'read'
    ? { kind: 'read', value: { plan: call.value.plan, key: pageMetaKey, shown: read.value } }
    : read
}

async function progressOf(engine: Engine, caller: Caller, args: unknown, signal: AbortSignal): Promise<Read<Shown>> {
  const given = progressArguments.safeParse(args)
  const credential = given.success ? readCredential(given.data.ticket) : undefined
  if (credential?.kind !== 'ticket' && credential?.kind !== 'plan') return undefined
  const call = await ownCall(engine, caller, credential, signal)
  if (call?.kind !== 'read') return call
  const read = await readProgress(call.value)
  return read?.kind === 'read'
    ? { kind: 'read', value: { plan: call.value.plan, key: cardMetaKey, shown: read.value } }
    : read
}

/** The call that a plan of this caller stored. */
export async function ownCall(
  engine: Engine,
  caller: Caller,
  credential: Extract<Credential, { kind: 'ticket' | 'plan' }>,
  signal: AbortSignal,
): Promise<Read<PlannedCall>> {
  const plan = await engine.plans.find(
    credential.kind === 'ticket'
      ? { by: 'ticket', ticketHash: ticketHash(credential.ticket) }
      : { by: 'id', id: credential.id },
  )
  return plan !== undefined && isOwn(plan.principal, caller.principal)
    ? storedCall(engine, caller, plan, { signal })
    : undefined
}

/** The call in the language of its preview card, whatever its host asks for by now. */
export const inLanguageOfCard = (call: PlannedCall): PlannedCall => ({
  ...call,
  request: { ...call.request, language: readShown(call.plan.shown).language ?? 'en' },
})

/** The call of a plan, where its tool is still the one that was previewed and the caller may still call it. */
function storedCall(
  engine: Engine,
  caller: Caller,
  plan: Plan,
  more: Pick<CallRequest, 'signal' | 'language'>,
): Read<PlannedCall> {
  const call = callContext(engine, { tool: plan.tool, args: {}, caller, ...more })
  const tool = visible(call.named)
  if (tool === undefined || !isWriteTool(tool) || tool.definition !== plan.definition) return undefined
  const missing = missingOf(engine, caller, tool.contract.permissions ?? [])
  if (missing.length > 0) return { kind: 'not-permitted', tool: plan.tool, missing }
  return { kind: 'read', value: plannedCall({ ...call, tool }, plan) }
}

/** For an approver, who must be able to see everybody: the list as whoever asked for the call may see it. */
export async function readListOfApproval(
  engine: Engine,
  { planId, principal, client, state }: Approval,
  place: ListPlace,
  signal: AbortSignal,
): Promise<Read<ListAnswer>> {
  const known = engine.permissionsOf === undefined ? 'all' : await engine.permissionsOf(principal)
  const plan = state === 'pending' ? await engine.plans.find({ by: 'id', id: planId }) : undefined
  if (plan === undefined || known === undefined) return undefined
  const caller: Caller = { principal, permissions: known, client, cards: 'unknown', trusted: false }
  const call = storedCall(engine, caller, plan, { signal, language: 'en' })
  return call?.kind === 'read' ? readList(call.value, place) : call
}

const listPageSchema = z.strictObject({ rows: cardPageRowsSchema, next: listPart.optional() })
const noPages = { message: 'has pages, which can be read on the card of an open plan only' }
const blocksSchema = z
  .array(cardBlockSchema)
  .max(cardLimits.blocks)
  .refine((blocks) => !blocks.some(({ kind }) => kind === 'pages'), noPages)
const offerSchema = z.strictObject({
  tool: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  label: z.string().min(1),
})
const followedSchema = z.strictObject({
  done: z.boolean(),
  blocks: blocksSchema,
  title: z.string().min(1).optional(),
  subtitle: z.string().optional(),
  offers: z.array(offerSchema).max(cardLimits.actions).optional(),
})

async function readList(call: PlannedCall, { list, after, key }: ListPlace): Promise<Read<ListAnswer>> {
  const { input, plan, tool } = call
  const { lists = {} } = tool.contract
  const known = Object.hasOwn(lists, list) ? lists[list] : undefined
  if (plan.state !== 'open' || known === undefined) return undefined
  const ctx = toolContext(call)
  if (key === undefined)
    return reading(call, 'lists', ctx, async () => {
      const at = { ...(after === undefined ? {} : { after }), limit: cardLimits.pageRows }
      const { rows, next } = listPageSchema.parse(await known.page(input, ctx, at))
      if (next !== undefined && (rows.length === 0 || next === after))
        throw new Error(
          `The page of "${list}" says that there is more and does not go on. Leave \`next\` out at the end.`,
        )
      return { list, rows, ...(next === undefined ? {} : { next }) }
    })
  if (known.open === undefined || after !== undefined) return undefined
  return reading(call, 'lists', ctx, async () => {
    const blocks = blocksSchema.optional().parse(await known.open?.(input, ctx, key))
    return { list, key, ...(blocks === undefined ? {} : { blocks }) }
  })
}

async function readProgress(call: PlannedCall): Promise<Read<Card>> {
  const { input, plan, tool } = call
  const { contract } = tool
  const output = plan.state === 'applied' ? recordedOutput(call) : undefined
  if (contract.follow === undefined || output === undefined) return undefined
  const ctx = toolContext(call)
  return reading(call, 'follow', ctx, async () => {
    const said: unknown = await contract.follow?.(input, output.value, ctx)
    return followedCard(call, output.value, followedSchema.parse(said))
  })
}

/** Runs one of a contract's own functions. What it throws, and what is no part of a card, is a mistake of the tool. */
async function reading<T>(
  call: PlannedCall,
  where: 'lists' | 'follow',
  ctx: ToolContext,
  work: () => Promise<T>,
): Promise<Read<T>> {
  const { tool } = call
  const ran = await invoke<T>(call, where, ctx, async () => {
    const read = await work()
    const size = JSON.stringify(read).length
    if (size > cardLimits.read)
      throw new Error(
        `The answer has ${size} characters of JSON, and a card takes ${cardLimits.read}. Give fewer rows.`,
      )
    return read
  })
  switch (ran.kind) {
    case 'value':
      return { kind: 'read', value: ran.value }
    case 'failed':
      return declaredFailure(tool, ran.failed, ran.spec, 'read')
    case 'crashed':
      return { kind: 'tool-crashed', tool: tool.wireName, during: 'read', incident: ran.incident }
    default:
      return ran satisfies never
  }
}
