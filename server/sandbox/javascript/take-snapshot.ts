// Takes the snapshot that instances of QuickJS begin from (snapshot.ts).
import type { InstanceSetup } from '../instance.ts'
import { defaultLimits } from '../limits.ts'
import { pagesOf } from '../runtimes/binaries.ts'
import { FileTree } from '../workspace/file-tree.ts'
import { openJavaScript, runnerIn, type Opened } from './run-javascript.ts'
import { encodeSnapshot, piecesOf, Recording, Replay, type Beginning, type Snapshot } from './snapshot.ts'

/**
 * The snapshot of a metered module, as a file: the same bytes for the same module and prelude.
 * @throws where an instance that begins from it is not what it was taken of.
 */
export async function takeSnapshot(module: WebAssembly.Module): Promise<Buffer<ArrayBuffer>> {
  const tree = new FileTree({ bytes: 0, entries: 0 })
  const limits = { outputBytes: 0, memoryPages: pagesOf(defaultLimits.memoryBytes) }
  const setup: InstanceSetup = {
    module,
    snapshot: undefined,
    tree,
    workspace: tree.folder(),
    folders: new Map(),
    limits,
    observe: () => undefined,
  }
  const begun = async (beginning: Beginning): Promise<Opened> => {
    const opened = await openJavaScript(setup, beginning)
    runnerIn(opened, setup)
    return opened
  }
  const snapshotOf = ({ memory, quickjs }: Opened): Snapshot => ({
    calls: recording.calls,
    now: quickjs.clock.now,
    pieces: piecesOf(memory),
  })
  const recording = new Recording()
  const snapshot = snapshotOf(await begun(recording))
  const file = encodeSnapshot(snapshot)
  const replay = new Replay(snapshot)
  const again = await begun(replay)
  replay.finish(again.memory, again.quickjs.clock)
  if (!file.equals(encodeSnapshot(snapshotOf(again)))) throw new Error('A snapshot of QuickJS does not restore it.')
  return file
}
