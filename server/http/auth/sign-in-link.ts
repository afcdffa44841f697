// A link that signs an operator in once, for whoever has the admin token: the terminal, or a page of the same server. Its
// secret stands behind the `#`, which a browser sends to nobody, so it is in no log of a server or a proxy; the page takes
// it from there and posts it (ADR 88).
import { z } from 'zod'
import type { Operators } from '../../store/store.ts'
import { credentialOf, proofOf } from './admin-token.ts'
import { sameSecret } from './bearer.ts'

/** How long a link can be opened. */
export const linkMinutes = 5

/** In the fragment of the address: `#sign-in=…`; `ui/admin/session.ts` reads it. */
const parameter = 'sign-in'

interface LinkOptions {
  readonly adminToken: string
  /** Who signs in, as the record shall name them. */
  readonly name: string
  /** The page that it opens, at or below `/admin`, under the address that the person's browser reaches. */
  readonly page: URL
}

/** Makes a link that opens this page, signed in as whoever holds the admin token. It works once, for five minutes. */
export async function createSignInLink(
  operators: Pick<Operators, 'sealer' | 'signInLinks'>,
  { adminToken, name, page }: LinkOptions,
): Promise<{ readonly url: URL; readonly expiresAt: number }> {
  const { secret, expiresAt } = await operators.signInLinks.make(
    { name, credential: credentialOf(operators, adminToken) },
    linkMinutes * 60_000,
  )
  const url = new URL(page)
  url.hash = new URLSearchParams({ [parameter]: secret }).toString()
  return { url, expiresAt }
}

const proved = z.object({ proof: z.string(), origin: z.string() })

/**
 * The origin of the operators' pages of the server with this admin token and this database, where an answer of
 * `GET /api/v1/session/link/proof` shows it; whoever gave the answer may have passed on that of another server.
 */
export function provedOrigin(answer: unknown, credential: string, challenge: string): string | undefined {
  const read = proved.safeParse(answer)
  if (!read.success) return undefined
  const { proof, origin } = read.data
  return sameSecret(proof, proofOf(credential, challenge, origin)) ? origin : undefined
}
