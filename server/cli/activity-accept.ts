// `countersign activity accept`: a person goes on with a database that has lost what its anchors have seen, because the
// newer copy is gone for good. It is recorded by whom and why, in the record and, signed, in the anchor file.
import { showUnseen } from '../cards/unseen.ts'
import { beginAct } from '../call/operator-record.ts'
import { appendAnchors, frozenByItself, readAnchorsSoFar } from '../compose-activity.ts'
import type { DatabaseOptions } from './activity.ts'
import { anchorFileOf } from './activity-open.ts'
import { print } from './activity-print.ts'
import { asOperator, operatorName, trouble } from './operator.ts'

/** Accepts the database as it is and lifts the freeze that its server has set. */
export async function acceptOlder(
  options: DatabaseOptions & { readonly reason: string; readonly by?: string },
): Promise<number> {
  const file = anchorFileOf(options)
  const anchors = await readAnchorsSoFar(file)
  if (!anchors.ok) return trouble(anchors.failure)
  return asOperator(options, async ({ activity, journal, switches }) => {
    const behind = await activity.behind(anchors.value)
    if (file === undefined || behind.length === 0)
      return trouble({
        message: 'There is nothing to accept: the database has everything that its anchors have seen.',
        next: 'A freeze is lifted with `countersign unfreeze`.',
      })
    const who = operatorName(options.by)
    const lost = behind.map(({ message }) => message)
    const end = await beginAct(journal, {
      who,
      tenant: undefined,
      via: 'terminal',
      act: 'operator.accepted_older_record',
      details: { reason: options.reason, lost },
    })
    await appendAnchors(file, await activity.acceptances(anchors.value, who))
    const own = (await switches.list()).find(({ tenant, by }) => tenant === undefined && by === frozenByItself)
    if (own !== undefined) await switches.unfreeze(undefined)
    await end({ done: true, result: { lifted: own !== undefined } })
    for (const message of lost) await print(`Accepted: ${showUnseen(message)}\n`)
    await print(
      own === undefined
        ? 'Nothing was frozen because of it.\n'
        : 'Agents may ask for changes again. What they did after that entry may be asked for a second time: look first.\n',
    )
    return 0
  })
}
