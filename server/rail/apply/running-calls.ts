// What a card can see of a call while it runs, and how it asks it to end: how far it has got, as its tool says, and whether the
// tool takes notice of a cancel. It is kept in the process that runs the call and nowhere else; at another process's door a
// card sees only since when it runs.

/** How far a call has got. */
export interface CallProgress {
  readonly done: number
  /** Nothing where nobody knows how much there is. */
  readonly total?: number
  readonly message?: string
}

/** The reason of a `ctx.cancelled` that was aborted because a person pressed Cancel on the card of the running call. */
export class CancelledOnCard extends Error {
  constructor() {
    super('A person cancelled it on its card while it ran.')
    this.name = 'CancelledOnCard'
  }
}

/** One call that runs. */
export interface RunningCall {
  readonly progress: CallProgress | undefined
  /** Its tool takes notice of a cancel. */
  readonly isCancellable: boolean
  /** Aborted with a `CancelledOnCard`. */
  readonly cancelled: AbortSignal
  /** Asks it to end; nothing where its tool takes no notice. */
  cancel(): void
  tell(step: { readonly progress: number; readonly total?: number; readonly message?: string }): void
}

/** The calls that run in this process, by the ids of their plans. */
export interface RunningCalls {
  begin(planId: string, isCancellable: boolean): RunningCall & { end(): void }
  find(planId: string): RunningCall | undefined
}

const longestMessage = 200

/** No calls yet. */
export function createRunningCalls(): RunningCalls {
  const running = new Map<string, RunningCall>()
  return {
    find: (planId) => running.get(planId),
    begin(planId, isCancellable) {
      const control = new AbortController()
      let progress: CallProgress | undefined
      const call: RunningCall = {
        get progress() {
          return progress
        },
        isCancellable,
        cancelled: control.signal,
        cancel: () => (isCancellable ? control.abort(new CancelledOnCard()) : undefined),
        tell({ progress: done, total, message }) {
          // What is no amount cannot be drawn.
          if (!Number.isFinite(done) || done < 0) return
          progress = {
            done,
            ...(total !== undefined && Number.isFinite(total) && total > 0 ? { total } : {}),
            ...(message === undefined || message === ''
              ? {}
              : { message: message.slice(0, longestMessage).toWellFormed() }),
          }
        },
      }
      running.set(planId, call)
      return Object.assign(call, { end: () => void running.delete(planId) })
    },
  }
}
