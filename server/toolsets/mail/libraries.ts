// Optional packages of this toolset, each loaded when it is first needed: a server that sends no mail pays for none.
import { packageOnFirstUse as library } from '../../errors/optional-package.ts'

export const nodemailer = library('nodemailer', async () => (await import('nodemailer')).default)
export const imapflow = library('imapflow', () => import('imapflow'))
export const sesv2 = library('@aws-sdk/client-sesv2', () => import('@aws-sdk/client-sesv2'))
export const emailAddresses = library('email-addresses', async () => (await import('email-addresses')).default)
export const markdown = library('marked', () => import('marked'))
export const postalMime = library('postal-mime', async () => (await import('postal-mime')).default)
export const liquidjs = library('liquidjs', () => import('liquidjs'))
