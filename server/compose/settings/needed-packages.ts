// What a server needs of the optional packages follows from its settings, and a start stops at the first that is missing. Here all
// of them are asked for at once, and nothing is loaded that is there.
import type { ServerConfig } from '../../config/config.schema.ts'
import { missing, type OptionalPackage } from '../../errors/optional-package.ts'
import { loadHighlighter } from '../../gateway/looks/code-spans.ts'
import { loadMarkdown } from '../../gateway/looks/load-markdown.ts'
import { loadLineDiff } from '../../gateway/profiles/line-diff.ts'
import { loadShellParser } from '../../gateway/programs/shell/parser.ts'
import { loadPostgresParser } from '../../gateway/programs/sql/postgres-parser.ts'
import { surroundings } from '../../model/surroundings.ts'
import { loadSending } from '../../operations/notify/load-sending.ts'
import { loadTraceApi, meansToTrace } from '../../operations/telemetry/trace-api.ts'
import { loadCodes } from '../../store/approvals/second-factor.ts'
import { loadBucket, loadDisk } from '../../toolsets/files/contents/storage.ts'
import { fileTypes } from '../../toolsets/files/contents/content-type.ts'
import * as mailing from '../../toolsets/mail/libraries.ts'
import { isPostgresAddress } from '../records/open-records.ts'

/**
 * A package, what loads it where it lies inside of a program, and what happens without it where the server starts all the same.
 */
export type Need = readonly [name: OptionalPackage, load: () => Promise<unknown>, without?: string]

/** One that is missing. */
export interface MissingPackage {
  /** Which one, what needs it, how to install it, and what happens without. */
  readonly text: string
  /** Whether a server starts without it. */
  readonly starts: boolean
}

/** What settings need but for who may call and sign in, of which the web door knows. `file`: the database, or its address. */
export function needsOf(
  { metrics, webhooks, mail, files }: Pick<ServerConfig, 'metrics' | 'webhooks' | 'mail' | 'files'>,
  { file, isGateway }: { readonly file: string; readonly isGateway: boolean },
): readonly Need[] {
  return [
    ...needed(isPostgresAddress(file), ['pg', () => import('../../store/postgres/open.ts')]),
    ...needed(metrics.token !== undefined, ['prom-client', () => import('../../operations/telemetry/metrics.ts')]),
    ...needed(webhooks.length > 0, ['standardwebhooks', loadSending]),
    ...needed(meansToTrace(surroundings().env), ['@opentelemetry/api', loadTraceApi, 'Without it nothing is traced.']),
    ...(mail === undefined ? [] : needsOfMail(mail)),
    ...needed(files.enabled, ['flydrive', loadDisk], ['file-type', fileTypes]),
    ...needed(
      files.enabled && files.folder?.startsWith('s3:') === true,
      ['@aws-sdk/client-s3', loadBucket],
      ['@aws-sdk/s3-request-presigner', loadBucket],
    ),
    ...needed(isGateway, ...needsOfGateway),
  ]
}

const needed = (isNeeded: boolean, ...needs: readonly Need[]): readonly Need[] => (isNeeded ? needs : [])

const needsOfMail = ({ url, bounces }: NonNullable<ServerConfig['mail']>): readonly Need[] => [
  ['email-addresses', mailing.emailAddresses],
  ['nodemailer', mailing.nodemailer],
  ['marked', mailing.markdown],
  ['liquidjs', mailing.liquidjs],
  ['otpauth', loadCodes, 'Without it nobody can approve a mail that needs a second factor.'],
  ...needed(/^ses:/i.test(url), ['@aws-sdk/client-sesv2', mailing.sesv2]),
  ...needed(bounces !== undefined, ['imapflow', mailing.imapflow], ['postal-mime', mailing.postalMime]),
]

const needsOfGateway: readonly Need[] = [
  ['diff', loadLineDiff],
  ['unbash', loadShellParser, 'Without it each call with a line of a shell is critical.'],
  ['libpg-query', loadPostgresParser, 'Without it each call with a text in the SQL of PostgreSQL is critical.'],
  ['highlight.js', loadHighlighter, 'Without it cards show code plain.'],
  ['marked', loadMarkdown, 'Without it cards show Markdown plain.'],
]

/** Those that are not installed, or not in the version that is meant; each once. */
export async function missingAmong(needs: readonly Need[]): Promise<readonly MissingPackage[]> {
  const found = new Map<OptionalPackage, MissingPackage>()
  for (const [name, load, without] of needs) {
    const lacking = found.has(name) ? undefined : await missing(name, load)
    if (lacking === undefined) continue
    const text = `${lacking.message} ${without ?? 'Without it the server does not start.'}`
    found.set(name, { text, starts: without !== undefined })
  }
  return [...found.values()]
}
