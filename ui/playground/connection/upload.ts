// A model has no bytes to send: a person hands a file to this page's own server, and agents have its id from then on.
import type { UploadedFile } from '../chat/transcript.ts'
import { troubleOf, type Trouble } from '../chat/trouble.ts'

type Sent =
  | { readonly kind: 'kept'; readonly file: UploadedFile }
  | { readonly kind: 'failed'; readonly trouble: Trouble }

/** Sends a file to the address that takes it; never rejects. */
export async function uploadFile(address: string, pageSecret: string, file: File): Promise<Sent> {
  const body = new FormData()
  body.append('file', file)
  try {
    const answer = await fetch(address, { method: 'POST', body, headers: { 'x-countersign-page': pageSecret } })
    const given = (await answer.json()) as { readonly file?: UploadedFile; readonly error?: Refusal }
    if (given.file !== undefined) return { kind: 'kept', file: given.file }
    const { message = 'The file was not kept.', next, data } = given.error ?? {}
    return {
      kind: 'failed',
      trouble: { message, next: next ?? data?.next ?? 'Try again.', reload: answer.status === 403 },
    }
  } catch (error) {
    return { kind: 'failed', trouble: troubleOf(error) }
  }
}

interface Refusal {
  readonly message?: string
  readonly next?: string
  readonly data?: { readonly next?: string }
}
