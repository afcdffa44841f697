// The toolset of mail in a process of its own, on the database and for the mail server that its arguments name.
import { flushCompileCache } from 'node:module'
import { openStore } from '../../../../server/store/store.ts'
import { openMail } from '../../../../server/toolsets/mail/open-mail.ts'
import { readOptions } from '../../../../server/toolsets/mail/options.ts'
import { partsOf } from '../../../kit/toolset.ts'

// Most of these processes are killed, and would never leave to the next one what they have compiled.
flushCompileCache()

const [file = '', url = '', secret = ''] = process.argv.slice(2)

export async function openAlone() {
  const opened = await openStore({ file, ...(secret === '' ? {} : { secret }) })
  if (!opened.ok) throw new Error(opened.failure.message)
  const set = await openMail(
    readOptions({ url, from: 'hello@acme.example', policy: { recipientsPerHour: 1e9, recipientsPerDay: 1e9 } }),
    partsOf(opened.value, { report: String }),
  )
  return { store: opened.value, set }
}
