// V8 compiles each function of QuickJS at its first call, which takes most of a first program's time. What it has compiled
// serves every instance of the module, so a thread that waits for its first program lets programs of ours call them, in an
// instance of its own that nothing else sees.
import type { InstanceSetup } from '../instance.ts'
import { FileTree } from '../workspace/file-tree.ts'
import { restoreJavaScript } from './run-javascript.ts'
import type { Snapshot } from './snapshot.ts'

/**
 * The function of QuickJS that takes longest comes first. They run little: from some hundred calls on V8 would optimise that
 * function, in tenths of a second of other threads and 20 MB, for programs that may never come.
 */
const programs = ['1', 'print(`${[1]}`)']
const budget = 10_000_000

/** Goes on for as long as `isIdle`. */
export async function warmUp(setup: InstanceSetup, snapshot: Snapshot, isIdle: () => boolean): Promise<void> {
  const tree = new FileTree({ bytes: 0, entries: 0 })
  const apart = { ...setup, tree, workspace: tree.folder(), folders: new Map(), observe: () => undefined }
  const run = isIdle() ? await restoreJavaScript(apart, snapshot) : undefined
  for (const code of programs) if (isIdle()) run?.({ code, budget })
}
