// Optional packages of this toolset, each loaded when it is first needed: a server that sends no mail pays for none.
import { onFirstUse } from '../../on-first-use.ts'
import { ToolsetError } from '../toolset.ts'

/** Loads a package once; where it is not installed, says so. */
const library = <T>(name: string, load: () => Promise<T>): (() => Promise<T>) =>
  onFirstUse(() =>
    load().catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')
        throw new ToolsetError(
          `The package ${name}, which mail needs, is not installed.`,
          `Run \`npm install ${name}\`.`,
        )
      throw error
    }),
  )

export const nodemailer = library('nodemailer', async () => (await import('nodemailer')).default)
export const imapflow = library('imapflow', () => import('imapflow'))
export const sesv2 = library('@aws-sdk/client-sesv2', () => import('@aws-sdk/client-sesv2'))
export const emailAddresses = library('email-addresses', async () => (await import('email-addresses')).default)
export const markdown = onFirstUse(() => import('marked'))
export const postalMime = library('postal-mime', async () => (await import('postal-mime')).default)
export const liquidjs = library('liquidjs', () => import('liquidjs'))
