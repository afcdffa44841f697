// The conversation is the one thing here that must survive a reload: real hosts draw old cards again with their old
// results, and a card has to find out for itself that its plan is long used. So entries are plain data.
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { Trouble } from './trouble.ts'

export type CallEnd =
  | {
      readonly kind: 'running'
      /** How far it has got, as its server says. */
      readonly progress?: CallProgress
    }
  | { readonly kind: 'answered'; readonly result: CallToolResult }
  | { readonly kind: 'failed'; readonly trouble: Trouble }

/** One `notifications/progress` of a call. */
export interface CallProgress {
  readonly progress: number
  readonly total?: number | undefined
  readonly message?: string | undefined
}

export interface CallEntry {
  readonly kind: 'call'
  readonly id: string
  readonly at: number
  /** Why the agent calls: it was asked to, it applies what was confirmed, it previews again, or it repeats a call of its own accord. */
  readonly why: 'asked' | 'applies' | 'previews' | 'repeats'
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  readonly end: CallEnd
}

export type Entry =
  | CallEntry
  | {
      readonly kind: 'person'
      readonly id: string
      readonly at: number
      readonly from: 'card' | 'composer'
      readonly text: string
      /** What they have uploaded. */
      readonly file?: UploadedFile
    }
  | { readonly kind: 'agent'; readonly id: string; readonly at: number; readonly text: string }
  /** What somebody else has done. */
  | { readonly kind: 'meanwhile'; readonly id: string; readonly at: number; readonly text: string }

/** A file that this server keeps. */
export interface UploadedFile {
  readonly fileId: string
  readonly name: string
  readonly bytes: number
  /** Where the name says something else than the content. */
  readonly warning?: string
}

export type TranscriptEvent =
  | { readonly kind: 'added'; readonly entry: Entry }
  /** It has ended, or got further. */
  | { readonly kind: 'ended'; readonly id: string; readonly end: CallEnd }
  | { readonly kind: 'cleared' }

/** The conversation after an event. */
export function reduceTranscript(entries: readonly Entry[], event: TranscriptEvent): readonly Entry[] {
  switch (event.kind) {
    case 'added':
      return [...entries, event.entry]
    case 'ended':
      return entries.map((entry) =>
        entry.kind === 'call' && entry.id === event.id ? { ...entry, end: event.end } : entry,
      )
    case 'cleared':
      return []
    default:
      return event satisfies never
  }
}

/** The first session's key has no id in it, because there was a time with one session only. */
const keyOf = (session: string): string => `countersign.playground.transcript.1${session === '1' ? '' : `.${session}`}`

const interrupted: CallEnd = {
  kind: 'failed',
  trouble: {
    message: 'This page was left before the answer arrived.',
    next: 'If it was an Apply, send the same message again: a confirmed plan never runs twice, and its recorded outcome comes back.',
    reload: false,
  },
}

/** A running call has lost its answer; a failed one no longer needs the reload that just happened. */
function afterReload(end: CallEnd): CallEnd {
  if (end.kind === 'running') return interrupted
  return end.kind === 'failed' ? { ...end, trouble: { ...end.trouble, reload: false } } : end
}

/** Reads a session's conversation in this tab; what is damaged is forgotten. */
export function loadTranscript(storage: Storage, session = '1'): readonly Entry[] {
  try {
    const entries = JSON.parse(storage.getItem(keyOf(session)) ?? '[]') as readonly Entry[]
    if (!Array.isArray(entries)) return []
    return entries.map((entry) => (entry.kind === 'call' ? { ...entry, end: afterReload(entry.end) } : entry))
  } catch {
    return []
  }
}

export const forgetTranscript = (storage: Storage, session: string): void => storage.removeItem(keyOf(session))

/** Keeps the conversation for this tab; where there is no room, the oldest entries go first. */
export function saveTranscript(storage: Storage, entries: readonly Entry[], session = '1'): void {
  for (let kept = entries; ; kept = kept.slice(Math.ceil(kept.length / 4))) {
    try {
      storage.setItem(keyOf(session), JSON.stringify(kept))
      return
    } catch {
      if (kept.length === 0) return
    }
  }
}
