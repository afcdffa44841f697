// This page's policy lets it talk to its own server only, and so it should stay: it draws what strangers send. Another
// MCP server that a person names is reached through it, with the page's secret, so that no other page and no program can
// use this way.

/** A `fetch` that reaches any http address through the server of this page. */
export function relayed(pageSecret: string): typeof fetch {
  return (input, init) => {
    const target = input instanceof Request ? input.url : input.toString()
    const headers = new Headers(init?.headers)
    headers.set('x-countersign-page', pageSecret)
    headers.set('x-countersign-target', target)
    return fetch('/playground/relay', { ...init, headers })
  }
}
