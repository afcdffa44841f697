// A second server process, as far as the store can tell. Reads commands line by line and answers each with one line of
// JSON; `node worker.ts FILE [as-nobody]`.
import { createInterface } from 'node:readline'
import { openStore } from '../../../server/store/store.ts'
import type { Store } from '../../../server/store/store.ts'
import type { ActivityCompletion, ActivityEntry } from '../../../server/model/activity.ts'

/** A call to write down, which may not end. */
interface Recorded {
  readonly entry: ActivityEntry
  readonly completion?: ActivityCompletion
}

const [file = ':memory:', as] = process.argv.slice(2)
// For root no file is read-only. Another user, for the rest of this process, meets what everybody else meets.
if (as === 'as-nobody' && process.getuid?.() === 0) {
  process.setgid?.(65534)
  process.setuid?.(65534)
}

const say = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value)}\n`)

const open = async (): Promise<Store | undefined> => {
  const result = await openStore({ file, secret: process.env['COUNTERSIGN_SECRET'] })
  say(result.ok ? 'opened' : result.failure)
  return result.ok ? result.value : undefined
}

let store: Store | undefined
say('ready')
for await (const command of createInterface({ input: process.stdin })) {
  const [verb, list = ''] = command.split(' ')
  if (verb === 'open') store = await open()
  // All at once, as parallel requests of one server are.
  if (verb === 'claim' && store !== undefined) {
    const { plans } = store
    const ids = list.split(',')
    const claims = await Promise.all(ids.map((id) => plans.claim(id, `worker ${process.pid}`, 60_000)))
    say(ids.filter((_, at) => claims[at]?.kind === 'claimed'))
  }
  if (verb === 'record' && store !== undefined) {
    const { entry, completion } = JSON.parse(command.slice(verb.length)) as Recorded
    const id = await store.activityLog.begin(entry)
    if (completion !== undefined) await store.activityLog.complete(id, completion)
    say(id)
  }
}
