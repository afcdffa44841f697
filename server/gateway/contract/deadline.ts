// What a server's schema and an agent's arguments cost together cannot be foreseen. So the work is ended where it takes
// too long, on this thread: a worker would have to be sent a copy of both, which takes longer than most of the work.
import { Script } from 'node:vm'

/** Only code that a script of `node:vm` has called can be ended, and it sees global names only. */
const held = Symbol.for('countersign.deadline')
const script = new Script("globalThis[Symbol.for('countersign.deadline')]()")

/** On a busy machine the time may have gone to others; then the work begins again with twice the time, at most so often. */
const mostAttempts = 4

/** The part of its time in which this thread ran, from which on the work is what took long. */
const ranItself = 0.8

/**
 * Time of the processor that this thread has used, in microseconds: others of the process, as programs of agents and
 * what V8 compiles, work meanwhile. Where Node is older than 23.9, that of the whole process.
 */
const usage = (before?: NodeJS.CpuUsage): NodeJS.CpuUsage =>
  (process as Partial<Pick<NodeJS.Process, 'threadCpuUsage'>>).threadCpuUsage?.(before) ?? process.cpuUsage(before)

/**
 * Runs synchronous work; `false` where it was ended after so many milliseconds of the processor. What it has changed by
 * then may be half done and is to be thrown away: `drop` does that, also where the work begins again because the thread
 * hardly ran.
 */
export function runsWithin(ms: number, work: () => void, drop: () => void = () => undefined): boolean {
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const before = usage()
    if (ends(ms * 2 ** attempt, work)) return true
    drop()
    const { user, system } = usage(before)
    if ((user + system) / 1000 > ms * ranItself) return false
  }
  return false
}

function ends(ms: number, work: () => void): boolean {
  const place = globalThis as Record<symbol, unknown>
  place[held] = work
  try {
    script.runInThisContext({ timeout: ms })
    return true
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return false
    throw error
  } finally {
    delete place[held]
  }
}
