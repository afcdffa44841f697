// Tells the store which tools standing permissions can be given for: at the start, and whenever an upstream server's
// list has changed.
import { grantableTool } from './call/grants-offer.ts'
import type { Grants } from './call/grants.ts'
import type { Gateway } from './compose-gateway.ts'
import type { Catalog } from './tools/catalog.ts'

/** Writes down what is offered, now and later; answers how to stop, which waits for what is being written. */
export async function keepOffers(
  grants: Grants,
  catalog: Catalog,
  gateway: Gateway | undefined,
  report: (error: unknown, where: string) => string,
): Promise<() => Promise<void>> {
  let offered = ''
  const offer = async (): Promise<void> => {
    const names = [
      ...catalog.tools.map(({ wireName }) => wireName),
      ...(gateway?.tools().map(({ name }) => name) ?? []),
    ]
    const tools = [...new Set(names)].flatMap((name) => {
      const tool = catalog.find(name)
      // Reads need no permission; a thousand of them need no row either.
      const grantable = tool === undefined || tool.contract.operation === 'read' ? undefined : grantableTool(tool)
      return grantable ?? []
    })
    const now = JSON.stringify(tools)
    if (now === offered) return
    await grants.offer(tools)
    offered = now
  }
  // One at a time: two that overlap could end with the older list.
  let writing = offer()
  await writing
  const stop = gateway?.changes((list) => {
    if (list === 'tools')
      writing = writing.then(offer).catch((error: unknown) => void report(error, 'offering tools for permissions'))
  })
  return async () => {
    stop?.()
    await writing
  }
}
