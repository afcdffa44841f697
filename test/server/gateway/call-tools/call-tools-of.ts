// The gateway's three call tools in front of tools, without a gateway: nothing is waited for.
import type { UpstreamTool } from '../../../../server/gateway/contract/upstream-contracts.ts'
import { createCallTools } from '../../../../server/gateway/call-tools/call-tools.ts'
import { createCatalog, type Tool } from '../../../../server/tools/catalog.ts'

export const callToolsOf = (tools: readonly UpstreamTool[]) =>
  createCallTools({
    intent: { shape: 'nested', strict_server_validation: true },
    find: (name) => tools.find((tool) => tool.name === name),
    arrival: () => undefined,
    relisted: () => ({ permissions: [], rationale: 'required', wait: async () => undefined }),
    reached: () => undefined,
    suggestNames: () => ({ near: [] }),
    names: () => tools.map(({ name }) => name),
    toTool: (contract) => createCatalog([contract]).tools[0] as Tool,
    warn: () => undefined,
  })
