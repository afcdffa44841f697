// `#tool=orders_create&args={"customer":"ACME"}` in the address opens a form with these arguments in it, so that a bug
// report or a document can point at one.
import type { Draft } from '../chat/suggestions.ts'

/** The form that an address asks for; nothing where it asks for none, or makes no sense. */
export function fromAddress(hash: string): Draft | undefined {
  const given = new URLSearchParams(hash.replace(/^#/, ''))
  const tool = given.get('tool')
  if (tool === null || tool === '') return undefined
  try {
    const args: unknown = JSON.parse(given.get('args') ?? '{}')
    const isObject = typeof args === 'object' && args !== null && !Array.isArray(args)
    return { tool, args: isObject ? (args as Draft['args']) : {} }
  } catch {
    return { tool, args: {} }
  }
}
