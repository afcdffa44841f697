// The sandbox as tools use it, with both real runtimes.
import { afterAll, describe, expect, test } from 'vitest'
import { explainRun } from '../../../server/sandbox/outcome/explain-run.ts'
import { surroundingsOf } from '../../../server/sandbox/outcome/facts.ts'
import { casesOf, isFull } from '../../full.ts'
import { ada, opened, openedForTest } from './opened.ts'

const { sandbox, run, session } = opened({ programsAtOnce: 2 })
afterAll(() => sandbox.close())

describe('Python', () => {
  test('keeps variables, imports and files of a session, and says what an import consumed the first time', async () => {
    const sessionId = await session('python')
    const first = await run('python', 'import json\nx = 1\nopen("f.txt", "w").write("1")', { sessionId })
    expect(first.filesChanged).toStrictEqual([{ path: 'f.txt', change: 'created', bytes: 1 }])
    const second = await run('python', 'import json\nprint(json.dumps([x, open("f.txt").read()]))', { sessionId })
    expect(second.stdout).toBe('[1, "1"]\n')
    expect(
      [...first.imports, ...second.imports].map(({ module, firstInSession }) => [module, firstInSession]),
    ).toStrictEqual([
      ['json', true],
      ['json', false],
    ])
    expect(first.imports[0]?.fuel).toBeGreaterThan(100 * (second.imports[0]?.fuel ?? 0))
  })

  test('writes a traceback of the program alone, with its lines', async () => {
    const { ended, exitCode, stderr } = await run('python', 'def f():\n    return 1 / 0\nf()')
    expect({ ended, exitCode }).toStrictEqual({ ended: 'error', exitCode: 1 })
    expect(stderr).toBe(
      [
        'Traceback (most recent call last):',
        '  File "program.py", line 3, in <module>',
        '    f()',
        '  File "program.py", line 2, in f',
        '    return 1 / 0',
        '           ~~^~~',
        'ZeroDivisionError: division by zero',
        '',
      ].join('\n'),
    )
  })

  test('finds a module of the workspace that was written after others were imported', async () => {
    const sessionId = await session('python')
    await run('python', 'open("one.py", "w").write("n = 1")\nimport one', { sessionId })
    const { stdout } = await run('python', 'open("two.py", "w").write("n = 2")\nimport two\nprint(two.n)', {
      sessionId,
    })
    expect(stdout).toBe('2\n')
  })

  test('stdin is at its end, and the exit code of a program is its own', async () => {
    const code = 'try:\n    input()\nexcept EOFError:\n    raise SystemExit(7)'
    expect(await run('python', code)).toMatchObject({
      ended: 'error',
      exitCode: 7,
      stderr: '',
    })
  })

  test('names of modules that do not exist are no imports to remember', async () => {
    const code = 'for i in range(50):\n  try: __import__("m" + "y" * 900 + str(i))\n  except ImportError: pass'
    expect((await run('python', code)).imports).toEqual([])
  })
})

describe('limits', () => {
  test.each([
    ['javascript', 'for (;;) try { for (;;); } catch {}'],
    ['javascript', 'for (;;) await 0'],
    ['python', 'while True:\n    try:\n        while True: pass\n    except BaseException: pass'],
  ] as const)('fuel ends %s that would run forever, and the files of earlier runs stay', async (language, code) => {
    const sessionId = await session(language)
    await run(language, language === 'python' ? 'open("kept", "w").write("1")' : 'writeFile("kept", "1")', {
      sessionId,
    })
    const stopped = await run(language, code, { sessionId, budget: 300_000_000 })
    expect(stopped).toMatchObject({ ended: 'out_of_fuel', exitCode: 1, sessionReset: true, filesLost: false })
    expect(stopped.fuel.consumed).toBeGreaterThan(300_000_000)
    const listing = language === 'python' ? 'import os; print(os.listdir())' : 'print(listFiles())'
    const after = await run(language, listing, { sessionId })
    expect(after.stdout).toContain('kept')
    expect(after.sessionReset).toBe(false)
    await sandbox.destroySession(ada, sessionId)
  })

  test.each([
    ['javascript', 'print("so far"); console.error("and so on"); for (;;);'],
    [
      'python',
      'import sys\nprint("so far")\nprint("and so on", file=sys.stderr)\nopen("slow.py", "w").write("while True: pass")\nimport slow',
    ],
  ] as const)(
    'a run of %s that is too slow is ended by the clock, with what it had printed and used, and another session goes on meanwhile',
    async (language, code) => {
      const [running, other] = [
        run(language, code, { timeoutMs: 2000, budget: 200_000_000_000 }),
        run('javascript', 'print("still here")'),
      ]
      expect((await other).stdout).toBe('still here\n')
      const ended = await running
      expect(ended).toMatchObject({ ended: 'timeout', filesLost: true, stdout: 'so far\n', stderr: 'and so on\n' })
      expect(ended.fuel.consumed).toBeGreaterThan(1_000_000)
      const slow = ended.imports.find(({ module }) => module === 'slow')
      if (language === 'python') expect(slow?.fuel).toBeGreaterThan(ended.fuel.consumed / 2)
    },
  )

  test.each([
    ['javascript', 'const all = []; for (;;) all.push(new Array(100_000).fill(1))'],
    ['python', 'bytearray(10 ** 9)'],
  ] as const)('memory that %s cannot have is an error of the program', async (language, code) => {
    const { ended, memoryBytes } = await run(language, code)
    expect(ended).toBe('out_of_memory')
    expect(memoryBytes).toBeLessThanOrEqual(128 * 1024 * 1024)
  })

  test('of stdout the beginning is kept and of stderr the end, between characters, and a flood ends the program', async () => {
    const { run: small } = openedForTest({ outputBytes: 100 })
    const said = await small('javascript', 'print("ä".repeat(80)); console.error("ö".repeat(80) + "end")')
    expect(said).toMatchObject({
      stdout: 'ä'.repeat(50),
      ended: 'finished',
      truncated: { stdoutBytes: 61, stderrBytes: 64 },
    })
    expect(said.stderr).toBe(`${'ö'.repeat(48)}end\n`)
    const flood = await small('javascript', 'for (;;) try { print("flood") } catch {}')
    expect(flood.ended).toBe('output_limit')
  })
})

describe('the same program in the same history of a session consumes the same fuel', () => {
  const histories = [
    ['javascript', ['let a = [3, 1, 2].sort(); print(a, Math.random())', 'print(Date.now(), JSON.stringify({ a }))']],
    [
      'python',
      ['import random, time\nx = {str(i): random.random() for i in range(100)}', 'print(x, time.time(), id(x))'],
    ],
  ] as const
  // Of Python two sessions are compared with one of another process in waiting-worker.test.ts.
  test.each(casesOf(histories, ([language]) => language, ['javascript']))('%s', async (language, programs) => {
    const measure = async (): Promise<readonly unknown[]> => {
      const sessionId = await session(language)
      const results = []
      for (const code of programs) results.push(await run(language, code, { sessionId }))
      await sandbox.destroySession(ada, sessionId)
      return results.map(({ fuel, stdout }) => [fuel.consumed, stdout])
    }
    const first = await measure()
    for (let again = 1; again < (isFull() ? 20 : 2); again += 1) expect(await measure()).toStrictEqual(first)
  })
})

describe('a budget that is recommended is enough', () => {
  const known = surroundingsOf({ largestBudget: 200_000_000_000 }, sandbox.packages())
  // The cheaper before the dearer: what a session has used counts in what is recommended.
  test.each([
    [
      'python',
      [
        'print("hello")',
        'def fib(n):\n    return n if n < 2 else fib(n - 1) + fib(n - 2)\nfib(12)',
        'import re\nre.findall(r"(\\w+)@", "ann@mail " * 50)',
        'import json\njson.dumps(list(range(300)))',
        'import dataclasses\nfor i in range(500): pass',
      ],
    ],
    [
      'javascript',
      [
        '1',
        'for (let i = 0; i < 300; i++) `${i}`',
        '/(a+)+b/.test("a".repeat(9))',
        'JSON.parse(JSON.stringify(Array.from({ length: 300 }, (_, i) => ({ i }))))',
        'writeFile("f", "x".repeat(9000)); readFile("f").split("x").length',
      ],
    ],
  ] as const)('for the same %s program in its session and in one that begins anew', async (language, programs) => {
    const [sessionId, another] = [await session(language), await session(language)]
    for (const code of programs) {
      await run(language, code, { sessionId })
      const { consumed } = (await run(language, code, { sessionId })).fuel
      const tight = await run(language, code, { sessionId, budget: Math.ceil(consumed * 1.1) })
      const { recommendation } = explainRun(tight, { language, code }, known).fuel
      const budget = Number(/: (\d+)/.exec(recommendation)?.[1])
      const followed = [
        await run(language, code, { sessionId, budget }),
        await run(language, code, { sessionId: another, budget }),
      ]
      expect(
        followed.map(({ ended }) => ended),
        `${code}: ${recommendation}`,
      ).toStrictEqual(['finished', 'finished'])
    }
    for (const id of [sessionId, another]) await sandbox.destroySession(ada, id)
  })
})

describe('owners', () => {
  test('a session of somebody else looks like one that never was', async () => {
    const sessionId = await session('javascript')
    for (const other of [
      { tenant: 'acme', subject: 'bob' },
      { tenant: 'other', subject: 'ada' },
    ]) {
      const asked = [
        sandbox.run(other, { language: 'javascript', code: '1', sessionId }),
        sandbox.listFiles(other, sessionId),
        sandbox.readFile(other, sessionId, 'a'),
        sandbox.resetWorkspace(other, sessionId),
        sandbox.destroySession(other, sessionId),
      ]
      const unknown = await sandbox.listFiles(other, 's_never')
      for (const answer of await Promise.all(asked))
        expect(JSON.stringify(answer)).toBe(JSON.stringify(unknown).replace('s_never', sessionId))
      expect(sandbox.listSessions(other)).toStrictEqual([])
    }
    expect((await sandbox.destroySession(ada, sessionId)).ok).toBe(true)
    expect((await sandbox.listFiles(ada, sessionId)).ok).toBe(false)
  })

  test('nobody has more sessions than are allowed, nor more runs waiting in one', async () => {
    const one = openedForTest({ sessionsPerOwner: 1, waitingPerSession: 1 })
    const sessionId = await one.session('javascript')
    const second = await one.sandbox.createSession(ada, { language: 'javascript' })
    expect(second).toMatchObject({ ok: false, failure: { code: 'too_many_sessions' } })
    const ask = (): ReturnType<typeof one.sandbox.run> =>
      one.sandbox.run(ada, { language: 'javascript', code: 'print(1)', sessionId })
    const answers = await Promise.all([ask(), ask(), ask()])
    expect(answers.map(({ ok }) => ok)).toStrictEqual([true, true, false])
    expect(answers[2]).toMatchObject({ failure: { code: 'too_many_waiting' } })
  })
})

describe('workspace', () => {
  test('takes files of a caller, gives them back, and empties', async () => {
    const sessionId = await session('javascript')
    const files = [{ path: '/app/in/data.bin', content: 'AP8=', encoding: 'base64' as const }]
    await run('javascript', 'writeFile("out.txt", "1")', { sessionId, files })
    expect(await sandbox.listFiles(ada, sessionId)).toStrictEqual({
      ok: true,
      value: [
        { path: 'in/data.bin', bytes: 2 },
        { path: 'out.txt', bytes: 1 },
      ],
    })
    const read = await sandbox.readFile(ada, sessionId, 'in/data.bin')
    expect(read).toMatchObject({ ok: true, value: { path: 'in/data.bin', bytes: new Uint8Array([0, 255]) } })
    await sandbox.resetWorkspace(ada, sessionId)
    expect((await run('javascript', 'print(listFiles())', { sessionId })).stdout).toBe('[]\n')
  })

  test('a workspace that a program has filled refuses more files, and still runs programs', async () => {
    const one = openedForTest({ workspaceFiles: 3 })
    const sessionId = await one.session('javascript')
    const fill = 'for (let n = 0; n < 100; n++) writeFile(`f${n}`, "")'
    expect((await one.run('javascript', fill, { sessionId })).stderr).toContain('the workspace is full')
    expect(await one.run('javascript', 'deleteFile("f0")', { sessionId })).toMatchObject({ ended: 'finished' })
    const files = [{ path: 'more', content: '' }]
    const refused = await one.sandbox.run(ada, { language: 'javascript', code: '1', sessionId, files })
    expect(refused).toMatchObject({ ok: false, failure: { code: 'workspace_full' } })
  })

  test.each(['../x', '/etc/passwd', 'a/../../x', '', 'a\u0000b', 'a\u202eb'])('refuses the path %j', async (path) => {
    const files = [{ path, content: '' }]
    const refused = await sandbox.run(ada, { language: 'javascript', code: '1', files })
    expect(refused).toMatchObject({ ok: false, failure: { code: 'invalid_path' } })
  })
})

describe('what a program leaves behind', () => {
  test('a timer of no finite time is one of the shortest, and the clock goes on', async () => {
    const code =
      'const t = Date.now(); await new Promise((go) => setTimeout(go, Infinity)); print(Date.now() - t < 1000)'
    expect((await run('javascript', code)).stdout).toBe('true\n')
  })
})
