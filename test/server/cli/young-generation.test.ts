// The space for new objects stays small while a program starts, and grows as V8 likes where somebody has said how.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

const file = fileURLToPath(new URL('../../../server/cli/young-generation.ts', import.meta.url))

/** Megabytes of the space for new objects in a process that has made many which survive. */
const grownTo = (options: readonly string[], before: string): number => {
  const program = `${before}
    import { getHeapSpaceStatistics } from 'node:v8'
    const kept = Array.from({ length: 200_000 }, (_, at) => ({ at, list: [at] }))
    console.log(kept.length && getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size)`
  const args = ['--no-warnings', ...options, '--input-type=module', '--eval', program]
  return Number(execFileSync(process.execPath, args, { encoding: 'utf8' })) / 2 ** 20
}
const startSmall = `import { startSmall } from ${JSON.stringify(file)}; startSmall()`

test('it stays small', () => {
  expect(grownTo([], '')).toBeGreaterThan(4)
  expect(grownTo([], startSmall)).toBeLessThanOrEqual(4)
})

test('it grows after that, and not while something still comes up', () => {
  const until = (milliseconds: number): string => `await new Promise((resolve) => setTimeout(resolve, ${milliseconds}))`
  const start = `import { putOffGrowth, startSmall } from ${JSON.stringify(file)}; startSmall(100)`
  expect(grownTo([], `${start}; ${until(120)}`)).toBeGreaterThan(4)
  expect(grownTo([], `${start}; setTimeout(putOffGrowth, 50); ${until(120)}`)).toBeLessThanOrEqual(4)
})

test('it is left to whoever has given a size', () => {
  expect(grownTo(['--max-semi-space-size=32'], startSmall)).toBeGreaterThan(4)
})

test('what a process has compiled that lived longer than the first minute is taken by the next one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-young-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'one.mjs'), 'export const one = () => 1\none()\n')
  const program = `import { startSmall } from ${JSON.stringify(file)}
    import { enableCompileCache } from 'node:module'
    startSmall(1)
    enableCompileCache(${JSON.stringify(join(folder, 'compiled'))})
    await import(${JSON.stringify(join(folder, 'one.mjs'))})
    await new Promise((resolve) => setTimeout(resolve, 20))`
  const run = (): string =>
    spawnSync(process.execPath, ['--no-warnings', '--input-type=module', '--eval', program], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], NODE_DEBUG_NATIVE: 'COMPILE_CACHE' },
    }).stderr
  run()
  expect(run()).toMatch(/one\.mjs was accepted/)
})
