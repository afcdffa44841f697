// What the activity log needs done while a server runs: heads leave for the anchor file, and old rows go. Each is small
// and soon repeated, so a failure is reported and the next time may do better.
import { appendAnchors, type Retention, type Store } from './store/store.ts'

export { appendAnchors, readAnchors } from './store/store.ts'

export interface ActivityUpkeep {
  /** File to which the heads of the chains are appended. */
  readonly anchor?: string | undefined
  /** What may stay of the log; everything when absent. */
  readonly retention?: Retention | undefined
}

const EVERY_MS = 60_000

/** Starts both; answers how to stop, which leaves a last anchor behind. */
export function keepActivity(
  { activity }: Pick<Store, 'activity'>,
  { anchor, retention }: ActivityUpkeep,
  report: (error: unknown, where: string) => unknown,
): () => Promise<void> {
  const told = new Map<string, string>()
  let running: Promise<void> = Promise.resolve()
  const anchorNow = async (): Promise<void> => {
    if (anchor === undefined) return
    const moved = (await activity.heads()).filter(({ tenant, link }) => told.get(tenant) !== link)
    await appendAnchors(anchor, moved)
    for (const { tenant, link } of moved) told.set(tenant, link)
  }
  const retainNow = async (): Promise<void> => {
    if (retention === undefined) return
    while ((await activity.retain(retention)) > 0);
  }
  const reported = (work: () => Promise<void>, where: string): Promise<void> =>
    work().catch((error: unknown) => void report(error, where))
  const tend = (): void => {
    running = running
      .then(() => reported(anchorNow, 'anchoring the activity log'))
      .then(() => reported(retainNow, 'activity retention'))
  }
  tend()
  const timer = setInterval(tend, EVERY_MS)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await running
    await reported(anchorNow, 'anchoring the activity log')
  }
}
