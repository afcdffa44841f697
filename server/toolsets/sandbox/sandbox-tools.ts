// The toolset `sandbox`: programs of agents on the rail like any other call.
import type { Sandbox } from '../../sandbox/sandbox.ts'
import type { Contract } from '../../tools/contract.ts'
import { executeTool } from './execute.ts'
import { exportTool, type ExportParts } from './export.ts'
import { runtimeTools } from './runtimes.ts'
import { sessionTools } from './sessions.ts'
import { workspaceTools } from './workspace.ts'
import type { DescriptionLength } from './descriptions.ts'

export interface SandboxToolOptions {
  readonly descriptions: DescriptionLength
  readonly exports: ExportParts
}

/** The sandbox's tools. */
export const sandboxTools = (sandbox: Sandbox, options: SandboxToolOptions): readonly Contract[] => [
  executeTool(sandbox, options.descriptions),
  ...sessionTools(sandbox, options.descriptions),
  ...runtimeTools(sandbox, options.descriptions),
  ...workspaceTools(sandbox, options.descriptions),
  exportTool(sandbox, options.descriptions, options.exports),
]
