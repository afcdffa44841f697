// Tells the store which tools grants can be given for: at the start, and whenever an upstream server's
// list has changed. A gateway may have ten thousand tools, so only what has changed is looked at and written.
import { approverFrom } from '../rail/authorize/approver-of.ts'
import { grantableTool } from '../operators/grant-offers.ts'
import type { Grants } from '../model/grants.ts'
import type { Engine } from '../rail/engine.ts'
import type { Gateway } from './gateway/gateway.ts'
import type { Store } from '../store/store.ts'
import type { Catalog } from '../tools/catalog.ts'
import { riskAtMost } from '../tools/define-tool.ts'

const dayMs = 24 * 3_600_000

/** Writes down what is offered, now and later; answers how to stop, which waits for what is being written. */
export async function keepGrantableTools(
  grants: Grants,
  catalog: Catalog,
  gateway: Gateway | undefined,
  report: (error: unknown, where: string) => string,
): Promise<() => Promise<void>> {
  let offered = new Map<string, unknown>()
  const offer = async (): Promise<void> => {
    // A tool of an upstream is another one as soon as anything about it is, and costs less to compare than to make.
    const marks = new Map<string, unknown>([
      ...(gateway?.tools().map((tool) => [tool.name, tool] as const) ?? []),
      ...catalog.tools.map((tool) => [tool.wireName, `${tool.definition} ${riskAtMost(tool.contract.risk)}`] as const),
    ])
    const changed = [...marks].flatMap(([name, mark]) => {
      const tool = offered.get(name) === mark ? undefined : catalog.find(name)
      // Reads need no grant.
      return tool === undefined || tool.contract.operation === 'read' ? [] : [tool]
    })
    await grants.offer(changed.flatMap((tool) => grantableTool(tool) ?? []))
    offered = marks
  }
  // One at a time: two that overlap could end with the older list.
  let writing = offer()
  await writing
  const again = (): void => {
    writing = writing
      .then(offer)
      .catch((error: unknown) => void report(error, 'writing down for which tools grants can be given'))
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

/** The grants of a database, and who gave them, as they are now: for the engine. */
export const grantParts = ({ grants, operators }: Pick<Store, 'grants' | 'operators'>) =>
  ({ grants, approverOf: approverFrom(operators.accounts) }) satisfies Pick<Engine, 'grants' | 'approverOf'>
