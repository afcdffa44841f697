// The playground draws what a server says about tools it has never seen, and frames what that server sends as HTML.
// Its own page therefore runs nothing but its own files, and nobody may frame it: a page that could be laid under
// another one could have its Confirm clicked by somebody who does not see it.
import type { MiddlewareHandler } from 'hono'
import { secureHeaders } from 'hono/secure-headers'

/** Headers of our own pages and assets. `sandboxOrigin` is the only thing that may be put into a frame; else nothing. */
export function pageHeaders(sandboxOrigin?: string): MiddlewareHandler {
  return secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'", 'data:'],
      fontSrc: ["'self'"],
      connectSrc: ["'self'"],
      frameSrc: [sandboxOrigin ?? "'none'"],
      frameAncestors: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
    },
    xFrameOptions: 'DENY',
    referrerPolicy: 'no-referrer',
    crossOriginOpenerPolicy: 'same-origin',
    crossOriginResourcePolicy: 'same-origin',
    // Plain HTTP on loopback: a promise about TLS would be a lie, and browsers ignore it there.
    strictTransportSecurity: false,
  })
}
