// `countersign activity accept`: a person goes on with a database that has lost what its anchors have seen, because the
// newer copy is gone for good, or with one whose anchors nobody can read. It is recorded by whom and why, in the record
// and, signed, in the anchor file.
import { showInvisible } from '../../cards/invisible-characters.ts'
import { appendAnchors, doubtOf, readAnchorsSoFar, setAnchorsAside } from '../../compose/records/activity.ts'
import { isFrozenByItself } from '../../model/switches.ts'
import type { DatabaseOptions } from './activity.ts'
import { anchorFileOf } from './activity-open.ts'
import { asOperator, beginHere, operatorName } from '../operators/operator.ts'
import { print, trouble, type Trouble } from '../terminal/output.ts'

/** Accepts the database as it is and lifts the freeze that its server has set. */
export async function acceptOlder(
  options: DatabaseOptions & { readonly reason: string; readonly by?: string },
): Promise<number> {
  const file = anchorFileOf(options)
  return asOperator(options, async ({ activity, activityLog, switches, now }) => {
    const anchors = await readAnchorsSoFar(file)
    const doubt = await doubtOf({ activity, switches }, file, anchors)
    if (file === undefined || doubt === undefined)
      return trouble({
        message: 'There is nothing to accept: the database has everything that its anchors have seen.',
        next: 'A freeze is lifted with `countersign unfreeze`.',
      })
    const who = operatorName(options.by)
    const act = 'operator.accepted_older_record'
    const end = await beginHere({ activityLog }, act, { by: who }, { reason: options.reason, lost: [doubt.message] })
    const lines = await activity.acceptances(anchors.ok ? anchors.value : 'unreadable', who)
    const aside = anchors.ok ? file : await movedAway(file, now())
    if (typeof aside !== 'string') {
      await end({ done: false, error: { code: 'anchors-in-the-way', ...aside } })
      return trouble(aside)
    }
    await appendAnchors(file, lines)
    const lifted = (await switches.list()).some(isFrozenByItself)
    if (lifted) await switches.unfreeze(undefined)
    await end({ done: true, result: { lifted } })
    print(`Accepted: ${showInvisible(doubt.message)}`)
    if (aside !== file) print(`The file that could not be read is ${showInvisible(aside)} now.`)
    const remaining = await switches.list()
    for (const { tenant, by, reason } of remaining)
      print(
        `Still frozen by ${showInvisible(by)}, ${tenant === undefined ? 'every tenant' : `tenant ${showInvisible(tenant)}`}: ${showInvisible(reason)} Lift it with \`countersign unfreeze${tenant === undefined ? '' : ` --tenant ${showInvisible(tenant)}`}\`.`,
      )
    if (!remaining.some(({ tenant }) => tenant === undefined))
      print(
        'Agents may ask for changes again. What they did after the last anchored entry may be asked for a second time: look first.',
      )
    return 0
  })
}

/** The damaged file's new name, or why it cannot be moved. */
async function movedAway(file: string, at: number): Promise<string | Trouble> {
  const next = 'Move it away yourself, or name another place with `activity.anchor`.'
  try {
    return (await setAnchorsAside(file, at)) ?? { message: `${file} is not a file.`, next }
  } catch (error) {
    return { message: `${file} cannot be moved away: ${error instanceof Error ? error.message : String(error)}.`, next }
  }
}
