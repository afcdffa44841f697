// What the card reads of its server beyond what it was sent: more of a list of its plan. What comes back is looked at as
// closely as the card was.
import type { Host } from '../bridge/host.ts'
import type { ListReader } from '../parts/reader.ts'
import { isListRead } from './read-card.ts'

/** Reads on in the lists of an open plan. */
export const listReader =
  (host: Host, ticket: string): ListReader =>
  async (list, at) => {
    const answer = await host.callTool('countersign_plan_page', { ticket, list, ...at })
    const given = answer.kind === 'answered' ? answer.result.meta['countersign/page'] : undefined
    return isListRead(given) ? given : undefined
  }
