// The thread of one session: it has the runtime's instance and its files, and runs one program after the other. It waits for
// the next one without its event loop, since CPython asks for it from within a call that never returns.
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import type { InstancePort, InstanceProgram, InstanceRun, InstanceSetup } from '../instance.ts'
import { changesSince, FileTree, versionsOf } from '../workspace/file-tree.ts'
import type { Versions } from '../workspace/file-tree.ts'
import { packagesPlace, workspacePlace } from '../workspace/paths.ts'
import { askedFunction } from './worker-messages.ts'
import type { FromWorker, ToWorker, WorkerStart } from './worker-messages.ts'

const pageBytes = 65_536

/** Runs the programs of this worker's session with an instance of its runtime, until that is gone. */
export async function serveSession(
  serve: (setup: InstanceSetup, port: InstancePort) => void | Promise<void>,
): Promise<void> {
  const start = workerData as WorkerStart
  const { packages, posted } = start
  const first = waitFor(posted)
  if (first.kind !== 'runtime') throw new Error(`A worker was sent ${first.kind} before its runtime.`)
  const tree = new FileTree({ bytes: start.workspaceBytes, entries: 2 * start.workspaceFiles })
  const workspace = tree.folder()
  const setup: InstanceSetup = {
    module: first.module,
    snapshot: first.snapshot,
    tree,
    workspace,
    folders: new Map([
      [workspacePlace, workspace],
      ['/tmp', tree.folder()],
      ...(packages.length === 0 ? [] : [[packagesPlace, FileTree.mount(packages)] as const]),
    ]),
    limits: { outputBytes: start.outputBytes, memoryPages: start.memoryBytes / pageBytes },
    observe: (soFar) => Object.assign(globalThis, { [askedFunction]: () => JSON.stringify(soFar()) }),
  }
  // A workspace may hold a thousand files, so they are looked through only where a program has changed any.
  let before: Versions = new Map()
  let seen = tree.changes
  let began = 0

  const next = (): InstanceProgram => {
    for (;;) {
      const message = waitFor(posted)
      if (message.kind === 'clear') {
        tree.clear(workspace)
        continue
      }
      if (message.kind === 'runtime') throw new Error('A worker was sent a second runtime.')
      tree.put(workspace, message.files)
      if (tree.changes !== seen) before = versionsOf(workspace)
      seen = tree.changes
      began = performance.now()
      return message
    }
  }
  const ended = (run: InstanceRun): void => {
    const durationMs = performance.now() - began
    const changes = tree.changes === seen ? [] : changesSince(before, workspace)
    tell({ kind: 'ended', run, durationMs, changes })
  }

  const isIdle = (ms: number): boolean => Atomics.wait(posted, 0, taken, ms) === 'timed-out'
  await serve(setup, { next, ended, isIdle, booted: (problem) => tell({ kind: 'booted', problem }) })
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port between threads has no origin.
const tell = (message: FromWorker): void => parentPort?.postMessage(message)

/** How many messages it has taken of those that were posted. */
let taken = 0

function waitFor(posted: Int32Array<SharedArrayBuffer>): ToWorker {
  if (parentPort === null) throw new Error('This file runs in a worker of a session.')
  for (;;) {
    const seen = Atomics.load(posted, 0)
    const received = receiveMessageOnPort(parentPort)
    if (received !== undefined) {
      taken += 1
      return received.message as ToWorker
    }
    Atomics.wait(posted, 0, seen)
  }
}
