// The instance of QuickJS of a session's thread, from its beginning to its end.
import type { InstancePort, InstanceSetup } from '../instance.ts'
import { openJavaScript, restoreJavaScript, runnerIn, type RunProgram } from './run-javascript.ts'
import { decodeSnapshot, type Snapshot } from './snapshot.ts'
import { warmUp } from './warm-up.ts'

/** So long a thread that has begun waits before it prepares for a program: one that is there comes sooner. */
const quietMs = 5

/** Runs what `port` has until the instance is gone. */
export async function serveJavaScript(setup: InstanceSetup, port: InstancePort): Promise<void> {
  const run = await begin(setup, port)
  for (;;) {
    const ended = run(port.next())
    port.ended(ended)
    if (ended.gone) return
  }
}

/** From the snapshot, where there is one. */
async function begin(setup: InstanceSetup, port: InstancePort): Promise<RunProgram> {
  if (setup.snapshot === undefined) return beginAnew(setup, port)
  let restored: { readonly snapshot: Snapshot; readonly run: RunProgram }
  try {
    const snapshot = decodeSnapshot(setup.snapshot)
    restored = { snapshot, run: await restoreJavaScript(setup, snapshot) }
  } catch (error) {
    return beginAnew(setup, port, error)
  }
  const { snapshot, run } = restored
  port.booted()
  // Only to be quicker: what keeps it from that keeps no program from running.
  if (port.isIdle(quietMs)) await warmUp(setup, snapshot, () => port.isIdle(0)).catch(() => undefined)
  return run
}

async function beginAnew(setup: InstanceSetup, port: InstancePort, problem?: unknown): Promise<RunProgram> {
  const opened = await openJavaScript(setup)
  port.booted(problem)
  let run: RunProgram | undefined
  // Our prelude runs with the first program (see `openJavaScript`).
  return (program) => (run ??= runnerIn(opened, setup))(program)
}
