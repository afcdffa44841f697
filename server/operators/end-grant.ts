// A grant that somebody gave can be taken back by everybody who could have rejected the calls, at any amount: taking
// back only makes things safer. Renewing is giving it again, for the tool as it is now.
import { unlessMissing } from '../errors/optional-package.ts'
import { loadConditions } from '../policy/load-conditions.ts'
import { shapeOf } from '../policy/grant-shape.ts'
import { approvalNeeds, mayReject } from '../policy/may-approve.ts'
import { mayGrant } from '../policy/may-grant.ts'
import type { Decider } from './decide-approval.ts'
import {
  beginGrantAct,
  grantable,
  mayNotGiveWords,
  type Given,
  type GivingParts,
  type GrantRefusal,
} from './give-grant.ts'
import type { Grant } from '../model/grants.ts'
import type { ActEnd } from './operator-record.ts'

const refuse = (refusal: GrantRefusal): Given => ({ kind: 'refused', refusal })

const unknown = (id: string): Given =>
  refuse({
    code: 'unknown-grant',
    message: `There is no grant ${JSON.stringify(id.slice(0, 40))}.`,
    next: '`countersign grants list` shows those that there are.',
  })

const ended = (grant: Grant): Given =>
  refuse({
    code: 'already-ended',
    message:
      grant.revoked === undefined
        ? `${grant.id} ended at ${new Date(grant.until).toISOString()}.`
        : `${grant.id} was revoked by ${grant.revoked.by} at ${new Date(grant.revoked.at).toISOString()}.`,
    next: 'What has ended does not come back; give a new one.',
  })

/** Ends a grant at once, in every process. */
export async function revokeGrant(parts: GivingParts, by: Decider, id: string): Promise<Given> {
  const grant = await parts.grants.find(id)
  if (grant === undefined) return unknown(id)
  const may = mayReject(by, { ...grant, subject: '', amount: undefined, fourEyes: false })
  if (may === 'other-tenant') return unknown(id)
  if (may !== 'yes')
    return refuse({
      code: 'not-yours-to-give',
      message: may === 'other-tools' ? `You approve other tools than ${grant.tool}.` : 'You may look, not revoke.',
      next: 'Ask somebody who approves this tool, or an admin.',
    })
  if (grant.revoked !== undefined) return ended(grant)
  const end = await beginGrantAct(parts, by, grant, 'grant.revoked')
  return cameOf(parts, grant, end, await parts.grants.revoke(id, by.name))
}

/** Pins the tool as it is offered now, for a grant that a changed definition or rating has suspended. */
export async function renewGrant(parts: GivingParts, by: Decider, id: string): Promise<Given> {
  const grant = await parts.grants.find(id)
  if (grant === undefined || (by.tenant !== undefined && by.tenant !== grant.tenant)) return unknown(id)
  if (grant.revoked !== undefined || grant.until <= parts.now()) return ended(grant)
  const found = await grantable(parts, grant.tenant, grant.tool)
  if (found.kind === 'refused') return found
  const { tool, risk } = found
  const needs = approvalNeeds(parts.rules, grant.tool, risk)
  const may = mayGrant(by, { ...grant, ...needs })
  if (may !== 'yes') {
    const [why, next] = mayNotGiveWords(may, { ...grant, ...needs })
    return refuse({ code: 'not-yours-to-give', message: `Renewing is giving it again. ${why}`, next })
  }
  if (grant.schema === undefined)
    return refuse({
      code: 'bad-condition',
      message: `${grant.id} does not say which arguments ${grant.tool} had when it was given, so renewing could widen it.`,
      next: 'Revoke it and give a new one.',
      field: 'condition',
    })
  const read = await unlessMissing(loadConditions)
  if (!read.ok) return refuse({ code: 'bad-condition', ...read.failure, field: 'condition' })
  const compiled = read.value.compileCondition(shapeOf(JSON.parse(tool.schema)), grant.condition)
  if (!compiled.ok)
    return refuse({
      code: 'bad-condition',
      message: `Its condition does not fit the tool as it is now. ${compiled.failure.message}`,
      next: 'Revoke it and give a new one.',
      field: 'condition',
    })
  const end = await beginGrantAct(parts, by, grant, 'grant.renewed')
  return cameOf(
    parts,
    grant,
    end,
    await parts.grants.renew(id, { definition: tool.definition, risk, by: by.name, giver: by.person }),
  )
}

/** Writes down whether it was done; where it was not, the grant had ended before. */
async function cameOf(
  { grants }: GivingParts,
  before: Grant,
  end: (end: ActEnd) => Promise<void>,
  done: boolean,
): Promise<Given> {
  const grant = (await grants.find(before.id)) ?? before
  const answer: Given = done ? { kind: 'given', grant } : ended(grant)
  await end({ done, error: answer.kind === 'refused' ? answer.refusal : undefined })
  return answer
}
