// Answers of the API are for programs and for pages of our own. Nobody may frame one, read one into another site's page,
// or take one for a page.
import type { MiddlewareHandler } from 'hono'
import { secureHeaders } from 'hono/secure-headers'

/** Headers of everything below `/api/v1`. */
export const apiHeaders = (): MiddlewareHandler =>
  secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      frameAncestors: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
    },
    xFrameOptions: 'DENY',
    referrerPolicy: 'no-referrer',
    crossOriginOpenerPolicy: 'same-origin',
    crossOriginResourcePolicy: 'same-origin',
    // Whoever ends TLS in front of this server promises it, or does not.
    strictTransportSecurity: false,
  })
