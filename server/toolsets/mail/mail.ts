// Mail that a person confirms: tools that send it, what was sent, and who is known.
import type { Toolset } from '../toolset.ts'
import { readOptions, type MailOptions } from './options.ts'

export type { MailOptions } from './options.ts'

/**
 * The toolset of mail.
 * @throws {Error} that names each option that cannot be used.
 */
export function mail(options: MailOptions): Toolset {
  const settings = readOptions(options)
  return async (parts) => (await import('./open-mail.ts')).openMail(settings, parts)
}
