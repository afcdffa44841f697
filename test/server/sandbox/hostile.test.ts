// Programs that mean harm: each ends within its limits and gets nothing, while a session beside them goes on.
import { afterAll, describe, expect, test } from 'vitest'
import type { RunResult } from '../../../server/sandbox/sandbox.ts'
import { casesOf, isFull } from '../../full.ts'
import { hostilePrograms, type HostileProgram } from './hostile-programs.ts'
import { ada, opened } from './opened.ts'

const { sandbox, run, session } = opened({ workspaceBytes: 4_000_000, workspaceFiles: 200, outputBytes: 20_000 })
afterAll(() => sandbox.close())

const limits = { budget: isFull() ? 1_500_000_000 : 600_000_000, timeoutMs: 60_000 } as const

/** What every one of them must keep to. */
function expectKept(result: RunResult, { name, ends }: HostileProgram): void {
  const { stdout, stderr, ended } = result
  const seen = `${name}: ${ended}\n${stdout.slice(0, 300)}\n${stderr.slice(-600)}`
  expect(stdout, seen).not.toContain('ESCAPED')
  expect(ended, seen).not.toBe('timeout')
  if (ends !== undefined) expect(ends, seen).toContain(ended)
  expect(Buffer.byteLength(stdout) + Buffer.byteLength(stderr)).toBeLessThan(70_000)
  expect(result.fuel.consumed).toBeLessThan(limits.budget + 5_000_000)
  expect(result.memoryBytes).toBeLessThanOrEqual(128 * 1024 * 1024)
}

test('there are more than a hundred, each of its own name', () => {
  expect(new Set(hostilePrograms.map(({ name }) => name)).size).toBe(hostilePrograms.length)
  expect(hostilePrograms.length).toBeGreaterThan(100)
})

const sample = [
  'python: a giant bytearray',
  'python: /proc',
  'python: a symbolic link',
  'python: a false end over the channel',
  'python: errors in a circle',
  'python: a flood of files',
  'python: closing every descriptor',
  'javascript: recursion',
  'javascript: a flood of promises',
  'javascript: buffers that are kept',
  'javascript: constructors of errors of the host',
  'javascript: throwing a proxy',
  'javascript: a flood that is caught',
  'javascript: a path that lies',
  'javascript: no globals',
]

describe('each ends within its limits, and the session beside it still knows what it knew', () => {
  let beside: string | undefined
  test.each(casesOf(hostilePrograms, ({ name }) => name, sample))('$name', async (program) => {
    if (beside === undefined) {
      beside = await session('javascript')
      await run('javascript', 'let count = 0', { sessionId: beside })
    }
    const [result, alive] = await Promise.all([
      run(program.language, program.code, limits),
      run('javascript', 'print(typeof ++count)', { sessionId: beside }),
    ])
    expectKept(result, program)
    expect(alive).toMatchObject({ stdout: 'number\n', sessionReset: false })
  })
})

test('a session that a program has ruined runs the next one, or begins anew with its files', async () => {
  const programs = casesOf(hostilePrograms, ({ name }) => name, [
    'javascript: no globals',
    'python: closing every descriptor',
  ])
  for (const program of programs) {
    const sessionId = await session(program.language)
    const python = program.language === 'python'
    await run(program.language, python ? 'open("kept", "w").write("1")' : 'writeFile("kept", "1")', { sessionId })
    await run(program.language, program.code, { sessionId, ...limits })
    await run(program.language, '1', { sessionId, ...limits })
    const files = await sandbox.listFiles(ada, sessionId)
    expect(files.ok && files.value.map(({ path }) => path), program.name).toContain('kept')
    await sandbox.destroySession(ada, sessionId)
  }
})

test(`the process lives through ${isFull() ? 1000 : 4} of them, one after the other`, async () => {
  for (let n = 0; n < (isFull() ? 1000 : 4); n += 1) {
    const { name, language, code } = hostilePrograms[(n * 37) % hostilePrograms.length] as HostileProgram
    expectKept(await run(language, code, { ...limits, budget: 300_000_000 }), { name, language, code })
  }
})
