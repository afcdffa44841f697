// What a start has compiled is code that the next start runs: it is kept where only the same user can write.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { place } from '../at-end.ts'
import { binary, start } from '../processes.ts'

const help = (env: Readonly<Record<string, string>>) =>
  start([...binary, '--help'], { env: { NODE_COMPILE_CACHE: '', ...env } }).ended

test('what a start has compiled is kept, for this user alone', async () => {
  const home = place()
  expect((await help({ XDG_DATA_HOME: home })).code).toBe(0)
  const kept = join(home, 'countersign', 'compiled')
  expect(readdirSync(kept, { recursive: true }).length).toBeGreaterThan(1)
  for (const directory of [join(home, 'countersign'), kept]) expect(statSync(directory).mode & 0o777).toBe(0o700)
})

test.each(['countersign', 'countersign/compiled'])('nothing is kept where another user may write: %s', async (open) => {
  const home = place()
  const kept = join(home, 'countersign', 'compiled')
  mkdirSync(kept, { recursive: true })
  chmodSync(join(home, open), 0o777)
  expect((await help({ XDG_DATA_HOME: home })).code).toBe(0)
  expect(readdirSync(kept)).toStrictEqual([])
})

test('nothing is kept where NODE_DISABLE_COMPILE_CACHE says so', async () => {
  const home = place()
  expect((await help({ XDG_DATA_HOME: home, NODE_DISABLE_COMPILE_CACHE: '1' })).code).toBe(0)
  expect(readdirSync(home)).toStrictEqual([])
})

test('a data directory that cannot be made ends no start', async () => {
  const file = join(place(), 'file')
  writeFileSync(file, '')
  expect(await help({ XDG_DATA_HOME: file })).toMatchObject({ code: 0, stderr: '' })
})

test('the version is said without loading what compiles or keeps anything', async () => {
  const home = place()
  const said = await start([...binary, '--version'], { env: { NODE_COMPILE_CACHE: '', XDG_DATA_HOME: home } }).ended
  expect(said).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) })
  expect(readdirSync(home)).toStrictEqual([])
})

test('a reader who does not wait for the version is no error', async () => {
  const child = spawn(process.execPath, [...binary, '--version'], { stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.destroy()
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  expect([await once(child, 'close'), stderr]).toStrictEqual([[0, null], ''])
})
