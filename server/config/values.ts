// The kinds of values that stand in the settings file in more than one place, each with the sentence that says what is
// wrong with it.
import { z } from 'zod'
import { isProtected } from '../ip-address.ts'
import { risks } from '../model/risk.ts'

export const minutes = z.int().min(1).max(527_040)
export const origin = z
  .string()
  .refine(isOrigin, 'must be an address like "https://countersign.example" without a path')
  .transform((text) => new URL(text).origin)
export const httpUrl = z.string().refine(isHttp, 'must be an http or https address')
/** Keys that come over plain http could be anybody's (RFC 8414, section 2). */
export const keysUrl = z.string().refine(isProtected, 'must be an https address (http only on this machine)')
export const issuer = z
  .string()
  .refine(isIssuer, 'must be an https address (http only on this machine), without a query')
export const host = z
  .string()
  .regex(/^(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/, 'must be a host name, with a port or without')
/** A secret that is made up for a header: long enough, and only what a header can carry. `text`: what it is for. */
export const headerSecret = (text: string) =>
  longSecret(text).regex(/^[!-~]*$/, 'must have no blanks and only characters that a header can carry')
export const longSecret = (text: string) =>
  z
    .string()
    .min(16, 'must have at least 16 characters; make one with `openssl rand -base64 32`')
    .meta({ description: text, writeOnly: true })
export const secret = (text: string) => z.string().min(1, 'is empty').meta({ description: text, writeOnly: true })

function isHttp(text: string): boolean {
  return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol)
}

function isIssuer(text: string): boolean {
  return isProtected(text) && new URL(text).search === '' && new URL(text).hash === ''
}

function isOrigin(text: string): boolean {
  if (!isHttp(text)) return false
  const { pathname, search, hash, username } = new URL(text)
  return pathname === '/' && search === '' && hash === '' && username === ''
}

export const risk = z.enum(risks)
export const proof = z.enum(['none', 'plan', 'ticket', 'recorded'])
export const globs = z
  .array(z.string().min(1))
  .min(1)
  .describe('Wire names of tools; `*` stands for any part of a name: ["orders_*"].')
