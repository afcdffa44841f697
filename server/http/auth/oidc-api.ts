// The two addresses of a sign-in at a provider: one that sends the browser there, one to which it comes back. What must
// come back unchanged waits in a sealed cookie, so that any process can finish what another began.
import { Hono, type Context } from 'hono'
import { html } from 'hono/html'
import { z } from 'zod'
import { packageOnFirstUse } from '../../errors/optional-package.ts'
import { onFirstUse } from '../../on-first-use.ts'
import { recordAct } from '../../operators/operator-record.ts'
import type { Result } from '../../errors/result.ts'
import type { Account, ProviderPerson, Store } from '../../store/store.ts'
import type { OidcOptions, OidcRefusal } from './oidc-provider.ts'
import { beginSession, type SessionOptions } from './session.ts'
import { openFrom, readCookie, sealInto, writeCookie } from './session-cookies.ts'

export type { OidcOptions } from './oidc-provider.ts'

interface OidcApiOptions extends SessionOptions {
  readonly store: Pick<Store, 'operators' | 'activityLog'>
  readonly oidc: OidcOptions
  readonly report: (error: unknown, where: string) => string
}

const path = '/api/v1/session/oidc'
const minutes = 10

const underWay = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  to: z.string(),
  at: z.number(),
})

/** What the sign-in page offers. */
export const oidcLogin = ({ label }: OidcOptions): { readonly label: string; readonly url: string } => ({
  label,
  url: path,
})

/** The app below `/api/v1/session/oidc`. */
export function createOidcApi(options: OidcApiOptions): Hono {
  const provider = onFirstUse(() => loadProvider(options))
  return new Hono()
    .get('/', async (c) => {
      const started = await (await provider()).start(`${baseOf(c, options)}${path}/callback`)
      if (!started.ok) return refused(c, started.failure)
      const waits = { ...started.value.underWay, to: pageOf(c.req.query('to')), at: Date.now() }
      writeCookie(c, 'sign-in', options, sealInto(options.operators, 'sign-in', waits), minutes * 60)
      return c.redirect(started.value.url.href, 302)
    })
    .get('/callback', async (c) => {
      const waits = underWay.safeParse(openFrom(options.operators, 'sign-in', readCookie(c, 'sign-in', options)))
      // Whatever comes of it, it came of it once.
      writeCookie(c, 'sign-in', options, '', 0)
      if (!waits.success || Date.now() - waits.data.at > minutes * 60_000) return refused(c, tooLate)
      const url = new URL(`${baseOf(c, options)}${path}/callback`)
      url.search = new URL(c.req.url).search
      const person = await (await provider()).finish(url, waits.data)
      const account = person.ok ? await admitted(options, person.value) : person
      if (!account.ok) {
        await note(options, person.ok ? person.value.name : 'somebody', undefined, account.failure.code)
        return refused(c, account.failure)
      }
      await beginSession(c, options, { via: 'oidc', account: account.value })
      await options.operators.accounts.seen(account.value.id)
      await note(options, account.value.name, account.value.tenant)
      return c.redirect(waits.data.to, 303)
    })
}

/** Loads the protocol. @throws {PackageMissing} where its package is not installed. */
export const loadOidc = packageOnFirstUse('openid-client', () => import('./oidc-provider.ts'))

const loadProvider = async ({ oidc, report }: OidcApiOptions) => (await loadOidc()).createOidcProvider(oidc, report)

async function admitted({ operators }: OidcApiOptions, person: ProviderPerson): Promise<Result<Account, OidcRefusal>> {
  const found = await operators.accounts.fromProvider(person)
  switch (found.kind) {
    case 'account':
      return { ok: true, value: found.account }
    case 'disabled':
      return {
        ok: false,
        failure: {
          status: 403,
          code: 'disabled',
          message: `The account ${person.name} is disabled here.`,
          next: 'Ask an admin of this server.',
        },
      }
    case 'name-taken':
      return {
        ok: false,
        failure: {
          status: 403,
          code: 'name-taken',
          message: `There is another account of the name ${found.name} on this server, and a name in the record is one person's.`,
          next: 'An admin can remove that account (`countersign account remove`); then sign in again.',
        },
      }
    default:
      return found satisfies never
  }
}

const note = ({ store }: OidcApiOptions, who: string, tenant: string | undefined, why?: string): Promise<void> =>
  recordAct(store.activityLog, {
    who,
    tenant,
    via: 'oidc',
    act: 'operator.signed_in',
    done: why === undefined,
    details: why === undefined ? {} : { why },
  })

const baseOf = (c: Context, { publicUrl }: SessionOptions): string => publicUrl ?? new URL(c.req.url).origin

/** A page of ours to come back to; never another site's. Read as a browser would read it, whatever it looks like. */
function pageOf(given: string | undefined): string {
  const here = 'http://here.invalid'
  if (given === undefined || !URL.canParse(given, here)) return '/admin'
  const { origin, pathname, search } = new URL(given, here)
  return origin === here && (pathname === '/admin' || pathname.startsWith('/admin/'))
    ? `${pathname}${search}`.slice(0, 1000)
    : '/admin'
}

const tooLate: OidcRefusal = {
  status: 400,
  code: 'not-under-way',
  message: 'This sign-in took too long, or it was not begun in this browser.',
  next: 'Begin again.',
}

/** People come here with a browser, and get a page; a program gets what programs get. */
function refused(c: Context, { status, code, message, next }: OidcRefusal): Response | Promise<Response> {
  if (!(c.req.header('accept') ?? '').includes('text/html')) return c.json({ error: { code, message, next } }, status)
  return c.html(
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width" />
          <title>Not signed in</title>
        </head>
        <body>
          <main>
            <h1>Not signed in</h1>
            <p>${message}</p>
            <p>${next}</p>
            <p><a href="/admin">Back to the sign-in</a></p>
          </main>
        </body>
      </html>`,
    status,
  )
}
