// What browsers may do with an answer of this server. Nobody may frame one but for the playground's cards, read one into
// another site's page, or take data for a page: a page that could be laid under another one could have its Confirm
// clicked by somebody who does not see it.
import type { MiddlewareHandler } from 'hono'
import { secureHeaders } from 'hono/secure-headers'

type Policy = NonNullable<NonNullable<Parameters<typeof secureHeaders>[0]>['contentSecurityPolicy']>

const headers = (more: Policy): MiddlewareHandler =>
  secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      ...more,
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

/** Headers of everything below `/api/v1`: answers for programs, and for pages of our own. */
export const apiHeaders = (): MiddlewareHandler => headers({})

/**
 * Headers of our own pages and assets. They draw what servers say that nobody here has seen before, so a page runs nothing
 * but its own files. `sandboxOrigin` is the only thing that may be put into a frame; else nothing.
 */
export const pageHeaders = (sandboxOrigin = "'none'"): MiddlewareHandler =>
  headers({
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    imgSrc: ["'self'", 'data:'],
    fontSrc: ["'self'"],
    connectSrc: ["'self'"],
    frameSrc: [sandboxOrigin],
  })
