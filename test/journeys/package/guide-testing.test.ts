// What the guide of tests shows is itself a test, which is run by Node's runner as a reader would run it.
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { environment } from '../processes.ts'

const root = join(import.meta.dirname, '..', '..', '..')
const guide = readFileSync(join(root, 'docs', 'guides', 'testing.md'), 'utf8')

/** The blocks in the order of the page; those after the first go on with it. */
const blocks = [...guide.matchAll(/<!-- test: (?:program|more) -->\s*```ts\n([\s\S]*?)```/g)].map(
  ([, block = '']) => block,
)

test('every block of the guide runs, and its tests pass', async () => {
  expect(blocks).toHaveLength([...guide.matchAll(/^```ts$/gm)].length)
  // Inside the package, so that `countersign` means this one, as npm built it.
  const folder = join(root, 'dist', 'readme')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'guide.test.ts')
  writeFileSync(file, blocks.join('\n'))
  const run = promisify(execFile)
  const { stdout } = await run(process.execPath, ['--no-warnings', '--test', '--test-reporter', 'tap', file], {
    env: environment(),
  })
  expect(stdout).toMatch(/^# pass 7$/m)
  expect(stdout).toMatch(/^# fail 0$/m)
})
