// What the rest of the server knows of notifications that are to be delivered: the shapes, and what each step promises.

export interface NoticeDraft {
  /** `msg_…`: stays the same through all attempts, so that a receiver can tell a repetition. */
  readonly id: string
  /** The receiver's id. */
  readonly webhook: string
  /** What it is about. The same subject is stored for a webhook once. */
  readonly subject: string
  readonly tenant: string
  readonly event: string
  /** JSON, as it will be sent. Sealed at rest. */
  readonly body: string
}

/** A notification that is held for one attempt. */
export interface HeldNotice extends NoticeDraft {
  /** Epoch milliseconds. */
  readonly createdAt: number
  /** Attempts before this one. */
  readonly attempts: number
}

export type NoticeEnd =
  | { readonly kind: 'delivered'; readonly status: number }
  /** To be tried again at `dueAt`. */
  | { readonly kind: 'later'; readonly dueAt: number; readonly status: number | undefined; readonly trouble: string }
  | { readonly kind: 'given-up'; readonly status: number | undefined; readonly trouble: string }

/** How it goes with one receiver. */
export interface WebhookRecord {
  readonly webhook: string
  readonly waiting: number
  readonly delivered: { readonly at: number; readonly event: string; readonly status: number | undefined } | undefined
  /** The last attempt that failed, whether or not it was the last one. */
  readonly failed:
    | {
        readonly at: number
        readonly event: string
        readonly status: number | undefined
        readonly trouble: string
        readonly attempts: number
        readonly givenUp: boolean
      }
    | undefined
  /** Given up since the records of this webhook begin (30 days). */
  readonly givenUp: number
}

export interface UndecidedApproval {
  readonly id: string
  readonly tenant: string
  /** Epoch milliseconds. */
  readonly createdAt: number
  readonly expiresAt: number
}
