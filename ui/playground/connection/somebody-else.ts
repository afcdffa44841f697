// A preview goes stale when somebody else is faster. For a demonstration that somebody is a second client of the same
// server: it previews a call, and confirms it with the ticket of its own card, as the person at that client would.
import type { ConnectOptions } from './connection.ts'
import { createWireLog } from './wire.ts'

/**
 * Makes a call as another client and confirms it.
 * @throws what the connection throws, or an error with what the server said where the call was not applied.
 */
export async function callAsSomebodyElse(
  options: Omit<ConnectOptions, 'wire' | 'apps'>,
  tool: string,
  args: Readonly<Record<string, unknown>>,
): Promise<void> {
  // With a wire of its own: what is shown here is this host's.
  const { connect } = await import('./connection.ts')
  const other = await connect({ ...options, apps: true, wire: createWireLog() })
  try {
    const preview = await other.call(tool, args)
    const card = preview._meta?.['countersign/card'] as { readonly plan?: { readonly ticket?: string } } | undefined
    const applied = await other.call(tool, { ...args, ticket: card?.plan?.ticket, preview: false })
    if (applied.structuredContent?.['status'] === 'applied') return
    const [said] = [...applied.content, ...preview.content]
    throw new Error(said?.type === 'text' ? said.text : 'The other call was not applied.')
  } finally {
    await other.close()
  }
}
