// Programs in JavaScript, as the real runtime runs them.
import { afterAll, expect, test } from 'vitest'
import { opened } from './opened.ts'

const { sandbox, run, session } = opened()
afterAll(() => sandbox.close())

test('prints, awaits, and keeps its variables and files from run to run of a session', async () => {
  const sessionId = await session('javascript')
  const first = await run('javascript', 'let n = await Promise.resolve(41); writeFile("a/b.txt", "hä")', {
    sessionId,
  })
  expect(first).toMatchObject({ ended: 'finished', exitCode: 0, sessionReset: false })
  expect(first.filesChanged).toStrictEqual([{ path: 'a/b.txt', change: 'created', bytes: 3 }])
  const second = await run('javascript', 'console.log(++n, [readFile("a/b.txt")], new Map([[1, { x: 2 }]]))', {
    sessionId,
  })
  expect(second.stdout).toBe("42 [ 'hä' ] Map(1) { 1 => { x: 2 } }\n")
})

test('says where an error of the program was thrown', async () => {
  const { ended, exitCode, stderr } = await run('javascript', 'function f() {\n  return null.x\n}\nf()')
  expect({ ended, exitCode }).toStrictEqual({ ended: 'error', exitCode: 1 })
  expect(stderr).toMatch(/^TypeError: cannot read property 'x' of null\n {4}at f \(program\.js:2:\d+\)\n/)
})

test('loses nothing of text with NUL, printed or in files', async () => {
  const code = 'const t = "a\\0\\\\0\\\\b"; writeFile("f", t); print(readFile("f") === t, t.length); print(t)'
  expect((await run('javascript', code)).stdout).toBe('true 6\na\0\\0\\b\n')
})

test('runs timers without waiting for them, on a clock of its own', async () => {
  const code =
    'const t = Date.now(); await new Promise((go) => setTimeout(go, 3_600_000)); print(Date.now() - t > 3_599_999)'
  expect(await run('javascript', code, { timeoutMs: 20_000 })).toMatchObject({ stdout: 'true\n', ended: 'finished' })
})

test('says so where a program awaits what never comes', async () => {
  const { ended, stderr } = await run('javascript', 'await new Promise(() => {})')
  expect({ ended, stderr }).toStrictEqual({
    ended: 'error',
    stderr: 'Error: the program awaits a promise that nothing settles\n',
  })
})

test.each([
  ['import("fs")', "ReferenceError: could not load module 'fs'"],
  ['async function main() { nope() }\nmain()', "ReferenceError: 'nope' is not defined\n    at main (program.js:1:"],
  ['async function main() { nope() }\nmain()\n0', "ReferenceError: 'nope' is not defined\n    at main (program.js:1:"],
  ['const f = async () => { await 0; nope() }\nf(); await 0', "ReferenceError: 'nope' is not defined\n    at f ("],
  ['new Promise((_, reject) => setTimeout(() => reject(new Error("late")), 5)); 0', 'Error: late\n'],
  ['for (let n = 0; n < 3; n++) Promise.reject(n)', 'Uncaught 0\n'],
  ['const p = Promise.reject(1); p.catch((n) => { throw n + 1 }); 0', 'Uncaught 2\n'],
])('an error that nobody awaits is told: %j', async (code, said) => {
  const { ended, exitCode, stderr } = await run('javascript', code)
  expect({ ended, exitCode, said: stderr.slice(0, said.length) }).toStrictEqual({ ended: 'error', exitCode: 1, said })
})

test('an error that nobody awaits ends the program with its turn, and its session goes on', async () => {
  const sessionId = await session('javascript')
  const code = 'var n = 1\nasync function main() { nope() }\nmain(); print(2); setTimeout(() => print(3), 1)'
  expect(await run('javascript', code, { sessionId })).toMatchObject({ ended: 'error', stdout: '2\n' })
  expect(await run('javascript', 'print(n)', { sessionId })).toMatchObject({
    ended: 'finished',
    stdout: '1\n',
    stderr: '',
  })
})

test.each([
  'const p = Promise.reject(new Error("x")); p.catch(() => {}); p',
  'const r = {}, f = async () => nope(); await Promise.allSettled([r.p = f()]); r.p',
  'let p\np = (async () => nope())()\nconst [{ status }] = await Promise.allSettled([p])',
  'await Promise.allSettled(Array.from({ length: 5000 }, async (_, n) => { throw n }))',
])('one that the program has handled is not told: %j', async (code) => {
  expect(await run('javascript', code)).toMatchObject({ ended: 'finished', exitCode: 0, stderr: '' })
})
