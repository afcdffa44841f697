// Mails that go out later than their call, and one about which the mail server keeps silent.
import { join } from 'node:path'
import type { MailOptions } from '../../../../../server/toolsets/mail/options.ts'
import { MINUTE, createClock } from '../../../../kit/clock.ts'
import { place } from '../../../store/store-fixture.ts'
import { openDesk } from '../mail-fixture.ts'
import { holdingSmtpServer } from '../smtp-fixture.ts'

/** In half an hour. */
export const later = (clock: { now(): number }) => new Date(clock.now() + 30 * MINUTE).toISOString()

/** Two processes on one database. The first waits for the answer to a mail for longer than its lease; the second can look. */
export async function fallenSilent(key?: string, policy: MailOptions['policy'] = {}) {
  const server = await holdingSmtpServer()
  const file = join(place(), 'mail.db')
  const clock = createClock()
  const [first, second] = [
    await openDesk({ url: server.url, policy }, { file, clock }),
    await openDesk({ url: server.url, policy }, { file, clock }),
  ]
  const sending = first.send({}, key)
  await server.reached
  clock.pass(5 * MINUTE)
  return { second, sending, answer: server.answer }
}
