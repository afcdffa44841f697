// The upstreams of these tests: real ones from npm, and the one that misbehaves, each through the gateway's own file.
import { mkdtempSync, readFileSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { longest } from '../../longest.ts'
import { readGatewayText } from './read-text.ts'
import {
  defaultLifecycle,
  type LifecycleOptions,
} from '../../../server/gateway/upstream/connection/lifecycle-options.ts'
import {
  upstreamTools,
  type UpstreamContract,
  type UpstreamToolOptions,
} from '../../../server/gateway/contract/upstream-contracts.ts'
import type { Variant } from '../../../server/gateway/call-tools/call-with.ts'
import type { PinnedTool } from '../../../server/gateway/upstream/definitions/pins.ts'
import { createPool, type Pool } from '../../../server/gateway/upstream/pool.ts'
import type { Upstream } from '../../../server/gateway/upstream/upstream.ts'

const misbehaving = fileURLToPath(new URL('fixtures/misbehaving-server.ts', import.meta.url))
const official = (name: string): string =>
  fileURLToPath(new URL(`../../../node_modules/@modelcontextprotocol/server-${name}/dist/index.js`, import.meta.url))

export type Entry = Readonly<Record<string, unknown>>

/** Node keeps what it compiles, as it does for the tests: half of what the start of a TypeScript file costs. */
const compiled = { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] }

export const newFolder = (): string => realpathSync(mkdtempSync(join(tmpdir(), 'gateway-')))

export const misbehavingServer = (mode = 'polite', ledger = '', more: Entry = {}): Entry => ({
  command: process.execPath,
  args: [misbehaving, mode, ...(ledger === '' ? [] : [ledger])],
  env: compiled,
  ...more,
})

export const officialServer = (name: string, args: readonly string[] = [], more: Entry = {}): Entry => ({
  command: process.execPath,
  args: [official(name), ...args],
  ...more,
})

/** Quick on its feet: what takes seconds in life takes milliseconds here. */
const quick: LifecycleOptions = {
  ...defaultLifecycle,
  version: '0.0.0',
  now: Date.now,
  report: (error) => {
    throw error
  },
  backoff: { firstMs: 20, maxMs: 200 },
}

/** A pool over these servers, closed when the test is over. */
export async function startPool(
  servers: Readonly<Record<string, Entry>>,
  life: Partial<LifecycleOptions> = {},
): Promise<Pool> {
  const config = await readGatewayText(JSON.stringify({ mcpServers: servers }), process.env)
  if (!config.ok) throw new Error(config.failure.message)
  const pool = createPool(config.value, { ...quick, ...life })
  onTestFinished(() => pool.close())
  await pool.start(longest)
  return pool
}

/** One upstream of its own. */
export async function startOne(entry: Entry, life: Partial<LifecycleOptions> = {}): Promise<Upstream> {
  const pool = await startPool({ it: entry }, life)
  const [upstream] = pool.upstreams
  if (upstream === undefined) throw new Error('There is no upstream.')
  return upstream
}

/** What the misbehaving server wrote into its ledger. */
export const ledgerOf = (file: string): readonly string[] => {
  try {
    return readFileSync(file, 'utf8').trim().split('\n')
  } catch {
    return []
  }
}

/** Waits until something holds, without asserting how long that takes. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10))
}

/** The contracts of pinned tools: through one door, or each through the door that its annotations name. */
export const contractsOf = (
  upstream: Upstream,
  pinned: readonly PinnedTool[],
  options: UpstreamToolOptions & { readonly variant?: Variant } = {},
): readonly UpstreamContract[] =>
  upstreamTools(upstream, pinned, options).map((tool) => tool.contract(options.variant ?? tool.callWith))
