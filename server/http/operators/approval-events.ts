// A person who waits for an approval should not have to reload, and the approval may have been asked for in another
// process, on another machine. All that these share is the store, so one look a second at two of its numbers serves
// every page that is open here; a page hears of it only when they have changed.
import { Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import type { Store, WaitingApprovals } from '../../store/store.ts'
import { visibleTenant, type OperatorEnv } from './operator.ts'

type Listener = (waiting: WaitingApprovals) => void

interface ApprovalEventsOptions {
  readonly waiting: Store['waitingApprovals']
  readonly report: (error: unknown, where: string) => string
}

/** Between two looks at the store. */
const everyMs = 1000
/** How long one stream lasts. */
const lastsMs = 5 * 60_000
/** An empty comment now and then keeps proxies from taking a quiet stream for a dead one. */
const quietMs = 15_000

/**
 * The app at `/api/v1/approvals/events`: server-sent events named `approvals`, `{pending, newest?}`, one at once and one
 * whenever the approvals that wait have changed, of the tenants that the operator may see. A stream ends after a while
 * and is asked for again, so that who may not listen any more does not.
 */
export function createApprovalEvents(options: ApprovalEventsOptions): Hono<OperatorEnv> {
  const watch = createWatch(options)
  return new Hono<OperatorEnv>().get('/', (c) => {
    const tenant = visibleTenant(c)
    // nginx would otherwise keep events until its buffer is full.
    c.header('x-accel-buffering', 'no')
    return streamSSE(c, async (stream) => {
      let sent = ''
      const tell: Listener = (now) => {
        const data = JSON.stringify(now)
        if (data === sent) return
        sent = data
        void stream.writeSSE({ event: 'approvals', data })
      }
      const unwatch = watch(tenant, tell)
      const alive = setInterval(() => void stream.write(':\n\n'), quietMs)
      await new Promise<void>((resolve) => {
        const end = setTimeout(resolve, lastsMs)
        end.unref()
        stream.onAbort(() => {
          clearTimeout(end)
          resolve()
        })
      })
      clearInterval(alive)
      unwatch()
    })
  })
}

/** One look serves all who listen for the same tenant; nobody listens, nobody looks. */
function createWatch({ waiting, report }: ApprovalEventsOptions) {
  const watches = new Map<
    string | undefined,
    { readonly listeners: Set<Listener>; last: WaitingApprovals | undefined }
  >()
  let timer: ReturnType<typeof setInterval> | undefined
  let looking = false
  let failing = false

  const look = async (): Promise<void> => {
    if (looking) return
    looking = true
    try {
      for (const [tenant, watch] of watches) {
        watch.last = await waiting(tenant)
        for (const listener of watch.listeners) listener(watch.last)
      }
      failing = false
    } catch (error) {
      // Once, until it is well again: a store that is gone would otherwise fill the log by the second.
      if (!failing && watches.size > 0) report(error, 'looking for approvals that wait')
      failing = true
    } finally {
      looking = false
    }
  }

  return (tenant: string | undefined, listener: Listener): (() => void) => {
    const watch = watches.get(tenant) ?? { listeners: new Set<Listener>(), last: undefined }
    watches.set(tenant, watch)
    watch.listeners.add(listener)
    if (watch.last !== undefined) listener(watch.last)
    timer ??= setInterval(() => void look(), everyMs)
    timer.unref()
    void look()
    return () => {
      watch.listeners.delete(listener)
      if (watch.listeners.size === 0 && watches.get(tenant) === watch) watches.delete(tenant)
      if (watches.size > 0) return
      clearInterval(timer)
      timer = undefined
    }
  }
}
