// A click counts as `recorded` only when it comes over a connection known to keep app-only tools away from a model.
// The playground is such a host, any other client of the same /mcp is not, so its requests must prove where they come
// from: with a random value, new at each start, that stands in the page and returns as a header.
//
// In the page rather than in a cookie, although a cookie could be HttpOnly: cookies do not know ports. One set by
// 127.0.0.1:4100 is sent to every other server on 127.0.0.1, and SameSite does not help, because ports are not part of
// the site. The page's text can be read by its own origin only, and its CSP lets no foreign script run there.
// Neither keeps out a process of the same OS user that reads the page as a browser would; the README says so.
import { createHash, timingSafeEqual } from 'node:crypto'

/** The request header in which the playground returns its secret. */
const pageSecretHeader = 'x-countersign-page'

type PageProof = 'absent' | 'valid' | 'wrong'

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Checks what a request brought against this start's secret, in constant time. */
export function checkPageSecret(request: Request, secret: string): PageProof {
  const given = request.headers.get(pageSecretHeader)
  if (given === null) return 'absent'
  return timingSafeEqual(digest(given), digest(secret)) ? 'valid' : 'wrong'
}

/**
 * Whether the page may carry the secret: only where a person's browser navigates to it. An agent's plain fetch tool,
 * a script or a frame of another page gets the same page without it. Browsers do not let scripts set this header.
 */
export const isNavigation = (request: Request): boolean => request.headers.get('sec-fetch-dest') === 'document'
