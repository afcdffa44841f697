// A process that sends one mail from the database and to the server that its arguments name. Its test kills it meanwhile.
import { callsOf } from '../../../../kit/toolset.ts'
import { openAlone } from '../open-alone.ts'

const { set } = await openAlone()
const input = { to: ['bea@other.example'], subject: 'Offer', body: 'Hello.' }
await callsOf(set.tools, Date.now).apply('emails.send_external', input, { idempotencyKey: 'pl_killed' })
