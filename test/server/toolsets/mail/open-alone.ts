// The toolset of mail in a process of its own, on the database and for the mail server that its arguments name.
import { recordingOf } from '../../../../server/compose/toolsets.ts'
import { openStore } from '../../../../server/store/store.ts'
import { openMail } from '../../../../server/toolsets/mail/open-mail.ts'
import { readOptions } from '../../../../server/toolsets/mail/options.ts'

const [file = '', url = '', secret = ''] = process.argv.slice(2)

export async function openAlone() {
  const opened = await openStore({ file, ...(secret === '' ? {} : { secret }) })
  if (!opened.ok) throw new Error(opened.failure.message)
  const set = await openMail(readOptions({ url, from: 'hello@acme.example' }), {
    db: opened.value.db,
    recording: recordingOf(opened.value),
    now: Date.now,
    deriveKey: () => new Uint8Array(32),
    report: String,
    publicUrl: () => undefined,
    folder: () => undefined,
    secretsIn: () => [],
    redact: (text) => text,
    files: () => undefined,
  })
  return { store: opened.value, set }
}
