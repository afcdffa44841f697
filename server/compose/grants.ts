// Tells the store which tools grants can be given for: at the start, and whenever an upstream server's
// list has changed. A gateway may have ten thousand tools, so only what has changed is looked at and written.
import { approverFrom } from '../rail/authorize/approver-of.ts'
import { grantableTool } from '../operators/grant-offers.ts'
import type { Grants } from '../model/grants.ts'
import type { Engine } from '../rail/engine.ts'
import type { Gateway } from './gateway.ts'
import type { Store } from '../store/store.ts'
import type { Catalog, Tool } from '../tools/catalog.ts'
import { riskAtMost } from '../tools/define-tool.ts'

const dayMs = 24 * 3_600_000

/** Writes down what is offered, now and later; answers how to stop, which waits for what is being written. */
export async function keepOffers(
  grants: Grants,
  catalog: Catalog,
  gateway: Gateway | undefined,
  report: (error: unknown, where: string) => string,
): Promise<() => Promise<void>> {
  let offered = new Map<string, string>()
  const offer = async (): Promise<void> => {
    const names = new Set([
      ...catalog.tools.map(({ wireName }) => wireName),
      ...(gateway?.tools().map(({ name }) => name) ?? []),
    ])
    const now = new Map<string, string>()
    const changed: Tool[] = []
    for (const name of names) {
      const tool = catalog.find(name)
      // Reads need no permission.
      if (tool === undefined || tool.contract.operation === 'read') continue
      const mark = `${tool.definition} ${riskAtMost(tool.contract.risk)}`
      now.set(name, mark)
      if (offered.get(name) !== mark) changed.push(tool)
    }
    await grants.offer(changed.flatMap((tool) => grantableTool(tool) ?? []))
    offered = now
  }
  // One at a time: two that overlap could end with the older list.
  let writing = offer()
  await writing
  const again = (): void => {
    writing = writing.then(offer).catch((error: unknown) => void report(error, 'offering tools for permissions'))
  }
  const stop = gateway?.changes((list) => (list === 'tools' ? again() : undefined))
  // What nobody has offered for long is forgotten; a server that runs for a year still offers its tools.
  const daily = setInterval(() => {
    offered = new Map()
    again()
  }, dayMs)
  daily.unref()
  return async () => {
    stop?.()
    clearInterval(daily)
    await writing
  }
}

/** The permissions of a database, and who gave them, as they are now. */
export const standingBy = ({ grants, operators }: Pick<Store, 'grants' | 'operators'>) =>
  ({ grants, approverOf: approverFrom(operators.accounts) }) satisfies Pick<Engine, 'grants' | 'approverOf'>
