// A tool as an unknown server lists it: by Countersign's contract where there is one, by MCP's annotations where there is not.
import { getToolUiResourceUri } from '@modelcontextprotocol/ext-apps/app-bridge'
import type { Tool } from '@modelcontextprotocol/sdk/types.js'
import type { CardRisk } from '../../../server/model/card.ts'
import { humanize, record, type ToolFacts } from '../tools/tool-facts.ts'

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
const risks: readonly string[] = ['low', 'medium', 'high', 'critical']

export function toolFacts(tool: Tool): ToolFacts {
  const meta = record(tool._meta)
  const contract = record(meta['countersign/contract'])
  const visibility = record(meta['ui'])['visibility']
  const visible = (to: string): boolean => (Array.isArray(visibility) ? visibility.includes(to) : true)
  return {
    name: tool.name,
    title: tool.title ?? tool.annotations?.title ?? humanize(tool.name),
    description: tool.description ?? '',
    category: text(contract['category']),
    risk: riskOf(contract['risk'], tool),
    riskByInput: contract['risk_depends_on_input'] === true,
    forModel: visible('model'),
    forApp: visible('app'),
    viewUri: viewUriOf(tool),
    inputSchema: tool.inputSchema,
    definition: tool,
  }
}

function riskOf(declared: unknown, tool: Tool): CardRisk | undefined {
  if (typeof declared === 'string' && risks.includes(declared)) return declared as CardRisk
  return tool.annotations?.readOnlyHint === true ? 'low' : undefined
}

function viewUriOf(tool: Tool): string | undefined {
  try {
    return getToolUiResourceUri(tool)
  } catch {
    return undefined
  }
}
