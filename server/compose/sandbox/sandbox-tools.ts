// Opens the place where programs of agents run, as the operator's settings have it. Its code is loaded where there is one,
// a thread for a first program in JavaScript when it gets ready, and all else of its runtimes with the first run.
import type { ServerConfig } from '../../config/config.schema.ts'
import { lineDiff, loadLineDiff } from '../../gateway/profiles/line-diff.ts'
import type { Contract } from '../../tools/contract.ts'
import { folderBeside } from '../records/open-records.ts'

export interface SandboxSetup extends Readonly<ServerConfig['sandbox']> {
  /** Where the metered runtimes are kept, if not beside the database. */
  readonly cacheFolder?: string | undefined
}

export interface SandboxTools {
  readonly tools: readonly Contract[]
  /** Does what a first program would wait for; once, a moment after the start. */
  getReady(): Promise<void>
  close(): Promise<void>
}

const none: SandboxTools = { tools: [], getReady: async () => undefined, close: async () => undefined }

/** The tools of the sandbox; none where no setup is given. */
export async function openSandboxTools(options: {
  readonly sandbox?: SandboxSetup | undefined
  readonly file: string
  /** Told of errors that no program made. */
  readonly report: (error: unknown, where: string) => unknown
}): Promise<SandboxTools> {
  const setup = options.sandbox
  if (setup === undefined) return none
  const [{ openSandbox }, { rehearseExplanations }, { sandboxTools }, { exportFolder }] = await Promise.all([
    import('../../sandbox/open-sandbox.ts'),
    import('../../sandbox/outcome/rehearse.ts'),
    import('../../toolsets/sandbox/sandbox-tools.ts'),
    import('./export-folder.ts'),
  ])
  const sandbox = openSandbox({
    cacheFolder: setup.cacheFolder ?? folderBeside(options.file, 'sandbox'),
    report: (error) => options.report(error, 'sandbox'),
    limits: {
      budget: setup.budget,
      largestBudget: setup.largest_budget,
      timeoutMs: setup.timeout_seconds * 1000,
      largestTimeoutMs: setup.largest_timeout_seconds * 1000,
      sessions: setup.sessions,
      sessionsPerOwner: setup.sessions_per_caller,
      idleTimeoutMs: setup.idle_minutes * 60_000,
      workspaceBytes: setup.workspace_mb * 1024 * 1024,
    },
  })
  const tools = sandboxTools(sandbox, {
    descriptions: setup.descriptions,
    exports: {
      ...(setup.export_folder === undefined ? {} : { folder: exportFolder(setup.export_folder) }),
      lineDiff: async (before, after) => {
        await loadLineDiff()
        return lineDiff(before, after)
      },
    },
  })
  return {
    tools,
    getReady: () => {
      sandbox.expectPrograms()
      return rehearseExplanations()
    },
    close: () => sandbox.close(),
  }
}

/** Whether programs of agents are run, and in which languages they can be. */
export async function sandboxWords({ enabled }: SandboxSetup): Promise<string> {
  const { openSandbox } = await import('../../sandbox/open-sandbox.ts')
  const sandbox = openSandbox()
  const there = sandbox
    .runtimes()
    .map(({ language, available }) => `${language} is ${available ? 'installed' : 'not installed'}`)
  await sandbox.close()
  return `${enabled === true ? 'are run' : 'are not run (sandbox.enabled)'}; ${there.join(', ')}`
}
