// The view inside the sandbox inherits the policy of the page around it, so that policy is the one that MCP Apps
// prescribes for views (specification 2026-01-26, "Host Behavior" and "Sandbox proxy"), sent as a header where no
// script can soften it. Domains that a resource declares are let in one by one, and only if they are nothing but origins.

/** `_meta.ui.csp` of a UI resource, as far as it is well formed. */
interface DeclaredCsp {
  readonly connectDomains: readonly string[]
  readonly resourceDomains: readonly string[]
  readonly frameDomains: readonly string[]
  readonly baseUriDomains: readonly string[]
}

const origin = /^(?:https?|wss?):\/\/(?:\*\.)?[a-z0-9.-]+(?::\d{1,5})?$/i

/** Reads the `csp` query of the sandbox's address. What is malformed is left out, which only ever restricts. */
export function readDeclaredCsp(query: string | undefined): DeclaredCsp {
  const declared = parseObject(query)
  const domains = (key: keyof DeclaredCsp): readonly string[] => {
    const list = declared[key]
    return Array.isArray(list) ? list.filter((one): one is string => typeof one === 'string' && origin.test(one)) : []
  }
  return {
    connectDomains: domains('connectDomains'),
    resourceDomains: domains('resourceDomains'),
    frameDomains: domains('frameDomains'),
    baseUriDomains: domains('baseUriDomains'),
  }
}

function parseObject(query: string | undefined): Partial<Record<keyof DeclaredCsp, unknown>> {
  if (query === undefined || query.length > 8192) return {}
  try {
    const value: unknown = JSON.parse(query)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

/** The policy of the sandbox page for one view, framed by the given host origins only. */
export function sandboxCsp(declared: DeclaredCsp, hostOrigins: readonly string[]): string {
  const resources = declared.resourceDomains
  return [
    ['default-src', "'none'"],
    ['script-src', "'self'", "'unsafe-inline'", ...resources],
    ['style-src', "'self'", "'unsafe-inline'", ...resources],
    ['img-src', "'self'", 'data:', ...resources],
    ['media-src', "'self'", 'data:', ...resources],
    ['font-src', "'self'", 'data:', ...resources],
    ['connect-src', ...orNone(declared.connectDomains)],
    ['frame-src', ...orNone(declared.frameDomains)],
    ['base-uri', "'self'", ...declared.baseUriDomains],
    ['object-src', "'none'"],
    ['form-action', "'none'"],
    // CSP has no grammar for IPv6 addresses: such a source is ignored, loudly. There the address is localhost.
    ['frame-ancestors', ...orNone(hostOrigins.filter((one) => !one.includes('[')))],
  ]
    .map((directive) => directive.join(' '))
    .join('; ')
}

const orNone = (sources: readonly string[]): readonly string[] => (sources.length > 0 ? sources : ["'none'"])
