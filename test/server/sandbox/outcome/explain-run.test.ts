import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { explainRun } from '../../../../server/sandbox/outcome/explain-run.ts'
import type { Ended } from '../../../../server/sandbox/outcome/facts.ts'
import { failed, run } from './runs.ts'
import { anyCharacter } from '../../../kit/any-character.ts'

const python = (code = '') => ({ language: 'python', code }) as const
const traceback = (last: string, frames = '  File "main.py", line 1, in <module>\n') =>
  `Traceback (most recent call last):\n${frames}${last}\n`

describe('a program that leaves with 0', () => {
  const stderr = fc.oneof(
    fc.string(),
    fc.constantFrom('OutOfFuel', traceback("KeyError: 'x'"), 'SyntaxError: invalid syntax', 'out of memory\nKilled'),
  )

  test('has no error, whatever it prints', () => {
    fc.assert(
      fc.property(stderr, fc.constantFrom('python' as const, 'javascript' as const), (stderr, language) => {
        expect(explainRun(run({ stderr }), { language, code: '' }).guidance).toBeUndefined()
      }),
    )
  })
})

describe('why the host ended a run', () => {
  test.each<[Ended, string]>([
    ['out_of_fuel', 'out_of_fuel'],
    ['out_of_memory', 'out_of_memory'],
    ['timeout', 'timeout'],
    ['output_limit', 'output_limit'],
    ['crashed', 'runtime_crashed'],
  ])('%s is certain, and no text of the program changes it', (ended, type) => {
    const facts = run({ ended, exitCode: 1, stderr: traceback("KeyError: 'x'") })
    expect(explainRun(facts, python()).guidance).toMatchObject({
      error_type: type,
      evidence: { source: 'host', confidence: 'certain' },
    })
  })

  test('a program that prints the words of a host is ended by its own error', () => {
    const stderr = `OutOfFuel\nout of memory\n${traceback("KeyError: 'x'")}`
    expect(explainRun(run({ ended: 'error', exitCode: 1, stderr }), python()).guidance?.error_type).toBe('missing_key')
  })

  test('that the session has begun anew is said', () => {
    const facts = run({ ended: 'timeout', exitCode: 1, sessionId: 's', sessionReset: true })
    expect(explainRun(facts, python()).guidance?.actionable_guidance.at(-1)).toMatch(/begun anew/)
  })
})

describe('the error that counts', () => {
  const typeOf = (stderr: string) =>
    explainRun(run({ ended: 'error', exitCode: 1, stderr }), python()).guidance?.error_type

  test('is the last of several', () => {
    expect(
      typeOf(
        `${traceback("KeyError: 'x'")}\nDuring handling of the above exception, another exception occurred:\n\n${traceback('IndexError: list index out of range')}`,
      ),
    ).toBe('index_out_of_range')
  })

  test('is found behind any length of other text', () => {
    expect(typeOf(`${'x'.repeat(100_000)}\n${'warning: y\n'.repeat(5000)}${traceback("KeyError: 'x'")}`)).toBe(
      'missing_key',
    )
  })

  test('is no line of its own message', () => {
    expect(typeOf(traceback("ValueError: the log says\nKeyError: 'x'"))).toBe('value_error')
  })

  test('is none where the program left by itself', () => {
    const left = (exitCode: number, stderr: string) =>
      explainRun(run({ ended: 'finished', exitCode, stderr }), python()).guidance
    expect(left(1, traceback("KeyError: 'x'"))?.error_type).toBe('exit_status')
    expect(left(3, 'no such customer\n')?.message).toBe('The program left with exit code 3: no such customer')
  })

  test('is told with the line of the program, and not with one of a package', () => {
    const frames =
      '  File "main.py", line 7, in <module>\n  File "/lib/python3.12/json/decoder.py", line 353, in raw_decode\n'
    const facts = run({
      ended: 'error',
      exitCode: 1,
      stderr: traceback('json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)', frames),
    })
    expect(explainRun(facts, python()).guidance).toMatchObject({
      error_type: 'json_decode',
      message: expect.stringMatching(/^Line 7: JSONDecodeError: /),
    })
  })

  test('is found above frames of which some are left out', () => {
    const stderr = 'InternalError: stack overflow\n    at f (program.js:1:15)\n    ... 1467 more\n'
    const facts = run({ ended: 'error', exitCode: 1, stderr })
    expect(explainRun(facts, { language: 'javascript', code: '' }).guidance?.error_type).toBe('recursion_limit')
  })

  test('of a thrown value that is no error is the program’s own', () => {
    const facts = run({ ended: 'error', exitCode: 1, stderr: 'TypeError: not a function\n5\n' })
    expect(explainRun(facts, { language: 'javascript', code: 'throw 5' }).guidance?.error_type).toBe(
      'raised_by_program',
    )
  })
})

test('an error without a rule of its own still has a class, and says that of its kind nothing nearer is known', () => {
  expect(explainRun(failed('python', 'TypeError: something new'), python()).guidance).toMatchObject({
    error_type: 'type_error',
    evidence: { rule: 'py.type_error/1', confidence: 'likely' },
  })
})

test('text of any kind is explained without an exception', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: anyCharacter, maxLength: 2000 }),
      fc.string({ unit: anyCharacter }),
      fc.boolean(),
      (stderr, code, isPython) => {
        const language = isPython ? 'python' : 'javascript'
        const { guidance } = explainRun(run({ ended: 'error', exitCode: 1, stderr }), { language, code })
        expect(guidance?.error_type).toMatch(/^[a-z_]+$/)
      },
    ),
  )
})
