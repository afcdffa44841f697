// What a Python program gets that looks for the channel over which its driver speaks with the host.
import { afterAll, expect, test } from 'vitest'
import { casesOf } from '../../full.ts'
import { opened } from './opened.ts'

const { sandbox, run, session } = opened()
afterAll(() => sandbox.close())

const everyDescriptor = (work: string): string =>
  `import os\nfor fd in range(3, 100):\n  try: ${work}\n  except OSError: pass\n`
const says = 'os.write(fd, b"ended 0 finished\\n")'
const below = (lines: string): string => lines.replaceAll(/^/gm, '    ')

const forgers = [
  ['says that it has ended, and goes on', `${everyDescriptor(says)}print("GOES ON")`],
  ['says it, and takes the next program', everyDescriptor(`${says}; print("GOES ON", os.read(fd, 16))`)],
  ['reads without having ended', `${everyDescriptor('os.read(fd, 16)')}print("GOES ON")`],
  [
    'says it where its own stream is flushed after its end',
    `import sys\nclass S:\n  def write(self, *a): pass\n  def flush(self):\n${below(everyDescriptor(says))}\n    while True: pass\nsys.stdout = S()\n1 / 0`,
  ],
  [
    'says it from far below functions of C',
    `class R:\n  def __repr__(self):\n${below(everyDescriptor(says))}\n    while True: pass\na = R()\nfor _ in range(150): a = [a]\nrepr(a)`,
  ],
] as const

test('a program that speaks for its driver, or listens in its place, ends there with an error; the next one is left alone', async () => {
  const sessionId = await session('python')
  const sample = ['says it, and takes the next program', 'says it where its own stream is flushed after its end']
  for (const [name, code] of casesOf(forgers, ([each]) => each, sample)) {
    const forged = await run('python', code, { sessionId, budget: 3_000_000_000 })
    expect(forged, name).toMatchObject({ ended: 'error', exitCode: 1, stdout: '', sessionReset: true })
    expect(forged.stderr, name).toContain('The program used the channel of the sandbox, and was ended.')
  }
  const next = await run('python', 'print("mine")', { sessionId })
  expect(next).toMatchObject({ stdout: 'mine\n', ended: 'finished', exitCode: 0 })
})

test('a program that rewrites the interpreter of its session changes what later ones do there, and nothing that the host counts', async () => {
  const sessionId = await session('python')
  const rewrites =
    'import sys\nserve = sys._getframe().f_back.f_back\nserve.f_locals["run"].__code__ = (lambda code: (0, b"finished")).__code__.replace(co_freevars=serve.f_locals["run"].__code__.co_freevars)'
  await run('python', rewrites, { sessionId })
  const next = await run('python', 'open("f", "w").write("1")\nprint("never")', { sessionId })
  expect(next).toMatchObject({ stdout: '', ended: 'finished', exitCode: 0, filesChanged: [] })
  expect(next.fuel.consumed).toBeLessThan(10_000_000)
  expect(await run('python', 'print("beside it")')).toMatchObject({ stdout: 'beside it\n', ended: 'finished' })
})
