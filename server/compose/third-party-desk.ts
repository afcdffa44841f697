// The desk of the demo that is somebody else's: a server from npm, as `countersign wrap` stands in front of it.
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fail, ok, type Result } from '../errors/result.ts'
import { surroundings } from '../model/surroundings.ts'
import type { ComposeOptions, Composed } from './compose.ts'
import type { ComposeFailure } from './records/open-records.ts'
import { liesInFile } from './settings/operator-options.ts'
import { operatorText, wrapConfig, type ConfigFailure } from './settings/gateway-files.ts'

/** What runs it, and fetches it once where it is not installed. */
const commandLine = ['npx', '-y', '@modelcontextprotocol/server-memory@2026.8.31'] as const

/** What npm needs of the environment to fetch it; a program that one click starts is given no more than that. */
const forNpm = /^(?:npm_config_\w+|(?:https?|no)_proxy|node_extra_ca_certs)$/i

/** For as long as its first start may take, while it is fetched. */
const fetchedWithinMs = 60_000

/** The official memory server, which keeps its graph in a file beside the desk's database. */
export async function thirdPartyDesk(
  database: string,
): Promise<Result<Pick<ComposeOptions, 'gateway' | 'toolsets'>, ConfigFailure>> {
  const folder = liesInFile(database) ? undefined : mkdtempSync(join(tmpdir(), 'countersign-memory-'))
  const graph = folder === undefined ? `${resolve(database)}.graph.jsonl` : join(folder, 'graph.jsonl')
  const [command, ...args] = commandLine
  const given = Object.entries(surroundings().env).filter(([name]) => forNpm.test(name))
  const env = { ...Object.fromEntries(given), MEMORY_FILE_PATH: graph }
  const config = await wrapConfig({ command, args, env })
  if (!config.ok) return config
  // The server reads its file anew for each call, so without the file it knows nothing.
  const startOver = async () => {
    try {
      await rm(graph, { force: true, maxRetries: 5 })
      return ok(undefined)
    } catch (error) {
      const { code = String(error) } = error as NodeJS.ErrnoException
      return fail({
        message: `${graph} could not be removed (${code}).`,
        next: 'Close what has it open, then try again.',
      })
    }
  }
  const close = async () => {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  return ok({
    gateway: { config: config.value, mode: 'wrap', patienceMs: fetchedWithinMs },
    toolsets: [async () => ({ tools: [], startOver, close })],
  })
}

/** Why the server behind the desk is not there; `undefined` where it is, or where nothing is behind. */
export function notStarted({ gateway }: Pick<Composed, 'gateway'>): ComposeFailure | undefined {
  const state = gateway?.pool.upstreams[0]?.state()
  if (state === undefined || state.kind === 'ready') return undefined
  return {
    message: 'The third-party server did not start.',
    next: `npx fetches it from npm once: see that this machine reaches npm, then open the desk again. \`${commandLine.join(' ')}\`: ${operatorText(state)}`,
  }
}
