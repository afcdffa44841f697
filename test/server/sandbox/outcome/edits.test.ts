// The edit of this program: what CPython 3.12 and QuickJS said of each of them is recorded in mended.json, with the program
// that runs. `npm run bench -- guidance` measures the same in the runtimes themselves, with hundreds of mistakes.
import { readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { withEdits } from '../../../../server/sandbox/outcome/edits/mistake.ts'
import { explainRun } from '../../../../server/sandbox/outcome/explain-run.ts'
import { failed, run } from './runs.ts'

const recorded = z
  .array(
    z.strictObject({
      language: z.enum(['python', 'javascript']),
      mistake: z.string(),
      code: z.string(),
      stderr: z.string(),
      mended: z.string(),
    }),
  )
  .parse(JSON.parse(readFileSync(new URL('mended.json', import.meta.url), 'utf8')))

describe.each(['python', 'javascript'] as const)('in %s', (language) => {
  test.each(recorded.filter((one) => one.language === language))('$mistake is mended', ({ code, stderr, mended }) => {
    const { guidance } = explainRun(run({ ended: 'error', exitCode: 1, stderr }), { language, code })
    expect(withEdits(code, guidance?.edits ?? [])).toBe(mended)
    expect(guidance?.code_examples).toHaveLength(guidance?.edits?.length ?? 0)
    expect(guidance?.fix).toMatchObject([{ kind: 'edit_arguments', pointer: '/code' }])
  })
})

test('a program that finished is offered no edit, whatever it printed', () => {
  for (const { language, code, stderr } of recorded)
    expect(explainRun(run({ stderr }), { language, code }).guidance).toBeUndefined()
})

test('an edit always fits the program that it is of, and changes it', () => {
  const lines = fc.array(fc.constantFrom(...recorded.flatMap(({ code }) => code.split('\n'))), { maxLength: 12 })
  fc.assert(
    fc.property(fc.constantFrom(...recorded), lines, fc.nat(12), ({ language, stderr, code }, others, at) => {
      const made = code
        .split('\n')
        .toSpliced(at, 0, ...others)
        .join('\n')
      const { guidance } = explainRun(run({ ended: 'error', exitCode: 1, stderr }), { language, code: made })
      if (guidance?.edits === undefined) return
      const mended = withEdits(made, guidance.edits)
      expect(mended).toBeDefined()
      expect(mended).not.toBe(made)
    }),
  )
})

test('a path outside of the workspace is moved inside where it is written to, and left alone where it is read', () => {
  const last = "FileNotFoundError: [Errno 44] No such file or directory: '/tmp/out/a.txt'"
  const edits = (code: string) => explainRun(failed('python', last), { language: 'python', code }).guidance?.edits
  expect(edits("open('/tmp/out/a.txt', 'w')")).toStrictEqual([
    { line: 1, before: "'/tmp/out/a.txt'", after: "'a.txt'" },
  ])
  expect(edits("open('/tmp/out/a.txt')")).toBeUndefined()
})

test('a line of a function that an earlier call of the session defined is no line of this program', () => {
  const stderr = `Traceback (most recent call last):
  File "program-2.py", line 1, in <module>
  File "program.py", line 7, in f
KeyError: 'x'
`
  const facts = run({ ended: 'error', exitCode: 1, stderr, sessionId: 's1' })
  expect(explainRun(facts, { language: 'python', code: 'f()' }).guidance?.message).toBe("Line 1: KeyError: 'x'")
})
