// By which way mail leaves is one address in the settings. Each way has rules of its own for what an attempt has come to;
// all of them keep the one that a mail which may have gone out is `unknown` (ADR 66, ADR 71).
import { nodemailer, sesv2 } from '../libraries.ts'
import { createSmtp, type Smtp } from './smtp.ts'
import { createSendmail } from './sendmail.ts'
import { createSes } from './ses.ts'

/**
 * Hands mail over by `smtp:`, `smtps:`, `ses:` or `sendmail:`; connects to nothing before the first mail.
 * @throws {ToolsetError} where a package for it is not installed: better known now than when a person has confirmed a mail.
 */
export async function transportTo(url: string): Promise<Smtp> {
  const [scheme] = url.toLowerCase().split(':', 1)
  await Promise.all([nodemailer(), ...(scheme === 'ses' ? [sesv2()] : [])])
  return scheme === 'ses' ? createSes(url) : scheme === 'sendmail' ? createSendmail(url) : createSmtp(url)
}
