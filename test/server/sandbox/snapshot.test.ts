// An instance that begins from the snapshot must be the one that the snapshot was taken of, to the last instruction: fuel is
// told to agents, and "the same program, the same number" holds whichever way a session began.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { InstanceSetup } from '../../../server/sandbox/instance.ts'
import { openJavaScript, restoreJavaScript, runnerIn } from '../../../server/sandbox/javascript/run-javascript.ts'
import { decodeSnapshot, type Snapshot } from '../../../server/sandbox/javascript/snapshot.ts'
import { takeSnapshot } from '../../../server/sandbox/javascript/take-snapshot.ts'
import { defaultLimits } from '../../../server/sandbox/limits.ts'
import { binaries, binaryFile, pagesOf } from '../../../server/sandbox/runtimes/binaries.ts'
import { prepareRuntime } from '../../../server/sandbox/runtimes/prepare.ts'
import { longest } from '../../longest.ts'
import { meterWasm } from '../../../server/sandbox/wasm/meter.ts'
import { FileTree } from '../../../server/sandbox/workspace/file-tree.ts'
import { onFirstUse } from '../../../server/on-first-use.ts'

const taken = onFirstUse(async () => {
  const metered = meterWasm(readFileSync(binaryFile(binaries.javascript) ?? ''), { exportsTable: true })
  if (!metered.ok) throw new Error(metered.failure.message)
  const module = new WebAssembly.Module(metered.value.binary)
  return { module, file: await takeSnapshot(module) }
})

const setupOf = (module: WebAssembly.Module, memoryPages: number): InstanceSetup => {
  const tree = new FileTree({ bytes: 1_000_000, entries: 100 })
  const limits = { outputBytes: 100_000, memoryPages }
  return {
    module,
    snapshot: undefined,
    tree,
    workspace: tree.folder(),
    folders: new Map(),
    limits,
    observe: () => undefined,
  }
}

/** Each leaves something behind for the next: they run one after the other, in one instance. */
const programs = [
  'print(Math.random(), Date.now(), Math.random())',
  'const a = []; for (let i = 0; i < 5000; i++) a.push({ i }); print(a.length, Date.now())',
  'setTimeout(() => print("later", Date.now()), 500)',
  'Promise.reject(new Error("nobody handles it"))',
  'let s = "a"; for (let i = 0; i < 12; i++) s += s; writeFile("f.txt", s); print(listFiles().length)',
  'throw new Error("thrown")',
  'print(new Error("told").stack)',
  'const deep = () => deep(); try { deep() } catch (error) { print(error.message) }',
  'const x = []; try { for (;;) x.push(new Uint8Array(1 << 20)) } catch (error) { print(x.length, error.message) }',
]

describe('an instance of QuickJS that begins from the snapshot', () => {
  test.each([pagesOf(defaultLimits.memoryBytes), 300])(
    'runs each program as one that begins by itself does: the same output, the same fuel, with %i pages',
    async (pages) => {
      const { module, file } = await taken()
      const setup = setupOf(module, pages)
      const anew = runnerIn(await openJavaScript(setup), setup)
      const restored = await restoreJavaScript(setupOf(module, pages), decodeSnapshot(file))
      for (const code of programs) {
        const program = { code, budget: 2_000_000_000 }
        expect(restored(program), code).toStrictEqual(anew(program))
      }
    },
  )

  test('is the one whose digest is known', async () => {
    const { file } = await taken()
    expect(createHash('sha256').update(file).digest('hex')).toBe(binaries.javascript.snapshot?.sha256)
  })

  test('is refused where the package calls it otherwise than when the snapshot was taken', async () => {
    const { module, file } = await taken()
    const snapshot = decodeSnapshot(file)
    const [first = ['', [], null], ...others] = snapshot.calls
    const renamed: Snapshot = {
      ...snapshot,
      calls: [['another_function', ...first.slice(1)], ...others] as Snapshot['calls'],
    }
    const begun = restoreJavaScript(setupOf(module, pagesOf(defaultLimits.memoryBytes)), renamed)
    await expect(begun).rejects.toThrow('another_function')
  })
})

test.each([
  ['the one that it must be', binaries.javascript.snapshot, 0],
  ['another one', { sha256: '0'.repeat(64) }, 1],
])(
  'a runtime whose snapshot is %s is ready; operators hear once where programs start more slowly',
  async (_, snapshot, times) => {
    const reported: unknown[] = []
    const patience = {
      timeoutMs: longest,
      ended: new AbortController().signal,
      report: (error: unknown) => reported.push(error),
    }
    const binary = { ...binaries.javascript, ...(snapshot === undefined ? {} : { snapshot }) }
    const options = { memoryPages: pagesOf(defaultLimits.memoryBytes), cacheFolder: undefined }
    expect(await prepareRuntime(binary, options, patience)).toMatchObject({ ok: true })
    expect(reported.map(String)).toStrictEqual(
      Array.from({ length: times }, () => expect.stringContaining('its programs start more slowly')),
    )
  },
)
