// Optional packages of this toolset, each loaded when it is first needed: a server that sends no mail pays for none.
import { onFirstUse } from '../../on-first-use.ts'

export const nodemailer = onFirstUse(async () => (await import('nodemailer')).default)
export const emailAddresses = onFirstUse(async () => (await import('email-addresses')).default)
export const markdown = onFirstUse(() => import('marked'))
export const postalMime = onFirstUse(async () => (await import('postal-mime')).default)
export const liquidjs = onFirstUse(() => import('liquidjs'))
