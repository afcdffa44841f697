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
  const { stdout, stderr, ended, fuel } = result
  const seen = `${name}: ${ended}\n${stdout.slice(0, 300)}\n${stderr.slice(-600)}`
  expect(stdout, seen).not.toContain('ESCAPED')
  expect(ended, seen).not.toBe('timeout')
  if (ends !== undefined) expect(ends, seen).toContain(ended)
  expect(Buffer.byteLength(stdout) + Buffer.byteLength(stderr)).toBeLessThan(70_000)
  // What ends a program for its fuel is the one payment that goes beyond it.
  const beyond = ended === 'out_of_fuel' || ended === 'output_limit' ? 5_000_000 : 0
  expect(fuel.consumed, seen).toBeGreaterThan(0)
  expect(fuel.consumed, seen).toBeLessThanOrEqual(fuel.budget + beyond)
  expect(result.memoryBytes).toBeLessThanOrEqual(128 * 1024 * 1024)
}

test('there are more than a hundred, each of its own name', () => {
  expect(new Set(hostilePrograms.map(({ name }) => name)).size).toBe(hostilePrograms.length)
  expect(hostilePrograms.length).toBeGreaterThan(100)
})

const sample = [
  'python: a symbolic link',
  'python: errors in a circle',
  'python: a flood of files',
  'javascript: recursion',
  'javascript: a flood of promises',
  'javascript: buffers that are kept',
  'javascript: constructors of errors of the host',
  'javascript: throwing a proxy',
  'javascript: a flood that is caught',
  'javascript: a path that lies',
  'javascript: no globals',
  'javascript: an iterator of lengths below nothing',
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

describe('names and paths are as long as in a real file system, and no longer', () => {
  const told = `
import os
def tell(what, work):
  try: print(what, work())
  except OSError as error: print(what, error.errno, error.strerror)
`
  test('for Python, whichever way one is made', async () => {
    const code = `${told}
open('${'ä'.repeat(127)}', 'w').close()
tell('name', lambda: open('${'ä'.repeat(128)}', 'w'))
tell('looked at', lambda: os.stat('n' * 256))
tell('folders', lambda: os.makedirs('/'.join('d' * 33)))
tell('kept', lambda: len(next(os.walk('d'))[1]))
tell('path', lambda: os.makedirs('/'.join([c * 200 for c in 'pqr'])))
os.makedirs('a/b/' + 'c' * 200)
open('a/b/' + 'c' * 200 + '/' + 'x' * 200, 'w').close()
tell('renamed', lambda: os.rename('a', 'l' * 120))
tell('moved', lambda: os.rename('a', 'p' * 200 + '/a'))
tell('into itself', lambda: os.rename('a', 'a/b/a'))
tell('shorter', lambda: os.rename('a', 'e'))
`
    const { stdout } = await run('python', code, limits)
    expect(stdout.split('\n')).toEqual([
      'name 37 Filename too long',
      'looked at 37 Filename too long',
      'folders 37 Filename too long',
      'kept 1',
      'path 37 Filename too long',
      'renamed 37 Filename too long',
      'moved 37 Filename too long',
      'into itself 28 Invalid argument',
      'shorter None',
      '',
    ])
  })

  test('for JavaScript and for callers', async () => {
    const paths = ['"n".repeat(256)', '"d/".repeat(32) + "f"', '"a/".repeat(2) + ("b".repeat(250) + "/").repeat(2)']
    const code = `for (const path of [${paths.join()}]) try { writeFile(path, "") } catch (e) { print(e.message.slice(-120)) }`
    const { stdout, filesChanged } = await run('javascript', code, limits)
    const rule = 'A name has at most 255 bytes, a path at most 500 characters and 32 names'
    expect(stdout.match(new RegExp(`is too long\\. ${rule}\n`, 'g'))).toHaveLength(3)
    expect(filesChanged).toEqual([])
    const files = [{ path: `${'d/'.repeat(32)}f`, content: '' }]
    const refused = await sandbox.run(ada, { language: 'javascript', code: '1', files })
    expect(refused).toMatchObject({ failure: { code: 'invalid_path', message: expect.stringContaining(rule) } })
  })
})

describe('what the host does for a program is paid by its length', () => {
  test.each([
    [
      'python',
      [
        ['os.ftruncate(os.open("f", os.O_CREAT | os.O_RDWR), N)', 3_000_000 / 8],
        ['os.pread(os.open("/packages/tabulate.py", os.O_RDONLY), N // 100, 0)', 30_000 / 8],
        ['os.urandom(N)', 3_000_000 * 8],
        ['os.access("/app/" + "n/" * (N // 20_000), 0)', 300 * 8],
        ['a = "many" if N else "none"\nfor n in range(10): os.rename(a, "gone"), os.rename("gone", a)', 20 * 100 * 8],
      ],
    ],
    [
      'javascript',
      [
        ['print("x".repeat(N / 100))', 30_000 * 8],
        ['writeFile("f", "x".repeat(N)); readFile("f")', 3_000_000 * 16],
      ],
    ],
  ] as const)('in %s', async (language, programs) => {
    const sessionId = await session(language)
    const before = 'import os\nos.mkdir("none")\nfor n in range(100): os.makedirs(f"many/{n}")'
    if (language === 'python') await run(language, before, { sessionId })
    for (const [code, least] of programs) {
      const used = async (n: string): Promise<number> =>
        (await run(language, code.replace('N', n), { ...limits, sessionId })).fuel.consumed
      const [, little, much] = [await used('0'), await used('0'), await used('3_000_000')]
      expect(much - little, code).toBeGreaterThan(least)
    }
    await sandbox.destroySession(ada, sessionId)
  })

  test('and so is each folder without files that a listing goes through', async () => {
    const sessionId = await session('javascript')
    const listed = async (): Promise<number> => (await run('javascript', 'listFiles()', { sessionId })).fuel.consumed
    const [, little] = [await listed(), await listed()]
    const folders = 'for (let n = 0; n < 190; n++) { writeFile(`${n}/f`, ""); deleteFile(`${n}/f`) }'
    await run('javascript', folders, { sessionId })
    expect((await listed()) - little).toBeGreaterThan(1000)
    await sandbox.destroySession(ada, sessionId)
  })

  test('and what is too dear for the budget is not done', async () => {
    const code = 'import os\nfd = os.open("f", os.O_CREAT | os.O_RDWR)\nfor n in range(10): os.urandom(10_000_000)'
    const ended = await run('python', code, { ...limits, budget: 100_000_000 })
    expect(ended).toMatchObject({ ended: 'out_of_fuel', sessionReset: false })
    expect(ended.fuel.consumed).toBeLessThan(200_000_000)
  })
})

test(`the process lives through ${isFull() ? 1000 : 2} of them, one after the other`, async () => {
  for (let n = 0; n < (isFull() ? 1000 : 2); n += 1) {
    const { name, language, code } = hostilePrograms[(n * 37) % hostilePrograms.length] as HostileProgram
    expectKept(await run(language, code, { ...limits, budget: 300_000_000 }), { name, language, code })
  }
})
