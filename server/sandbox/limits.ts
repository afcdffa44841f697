// Limits of runs, sessions and workspaces, where the settings do not say otherwise.
import { availableParallelism } from 'node:os'
import type { SandboxLimits } from './sandbox.ts'

const kilo = 1024
const mega = 1024 * kilo

export const defaultLimits: SandboxLimits = {
  budget: 10_000_000_000,
  largestBudget: 200_000_000_000,
  timeoutMs: 30_000,
  largestTimeoutMs: 120_000,
  memoryBytes: 128 * mega,
  outputBytes: 256 * kilo,
  codeBytes: 256 * kilo,
  workspaceBytes: 32 * mega,
  workspaceFiles: 1000,
  sessionsPerOwner: 5,
  sessions: 20,
  waitingPerSession: 8,
  idleTimeoutMs: 600_000,
  // One processor is left to the server; at least two, so that no program that runs to its time limit stops all others.
  programsAtOnce: Math.max(2, availableParallelism() - 1),
  startTimeoutMs: 60_000,
}
