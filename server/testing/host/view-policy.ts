// The policy that MCP Apps prescribes for views (specification 2026-01-26, "Host Behavior"): everything is closed but
// what the resource declares.

const origin = /^(?:https?|wss?):\/\/(?:\*\.)?[a-z0-9.-]+(?::\d{1,5})?$/i

/** The Content-Security-Policy for a view that declares these domains. */
export function viewPolicy(declared: Readonly<Record<string, readonly string[] | undefined>>): string {
  const of = (key: string): readonly string[] => (declared[key] ?? []).filter((one) => origin.test(one))
  const resources = of('resourceDomains')
  const orNone = (sources: readonly string[]): readonly string[] => (sources.length === 0 ? ["'none'"] : sources)
  return [
    ["default-src 'none'"],
    ["script-src 'self' 'unsafe-inline'", ...resources],
    ["style-src 'self' 'unsafe-inline'", ...resources],
    ["img-src 'self' data:", ...resources],
    ["media-src 'self' data:", ...resources],
    ["font-src 'self' data:", ...resources],
    ['connect-src', ...orNone(of('connectDomains'))],
    ['frame-src', ...orNone(of('frameDomains'))],
    ["object-src 'none'"],
  ]
    .map((parts) => parts.join(' '))
    .join('; ')
}
