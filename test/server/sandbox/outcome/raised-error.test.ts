// Where a traceback of Python says that its error is.
import { expect, test } from 'vitest'
import { raisedError } from '../../../../server/sandbox/outcome/raised-error.ts'

const frame = (file: string, line: number, ...shown: readonly string[]): string =>
  [`  File "${file}", line ${line}, in <module>`, ...shown].map((text) => `${text}\n`).join('')
const traceback = (...frames: readonly string[]): string =>
  `Traceback (most recent call last):\n${frames.join('')}KeyError: 'x'\n`

const marked = frame('program.py', 3, "    print(data['x'])", '          ~~~~^^^^^')
const library = frame('/usr/lib/python3.12/json/decoder.py', 337, '    raise it', '    ^^^^^^^^')
const farAway = `${' '.repeat(2100)}^`

test.each<[what: string, stderr: string, place: object]>([
  ['the innermost frame of the program', traceback(frame('program.py', 9), marked, library), { line: 3, column: 11 }],
  ['its marks, from the first ^ on', traceback(marked), { endColumn: 16, shown: "print(data['x'])" }],
  ['no frame of an earlier call', traceback(frame('program.py', 9), frame('call-1.py', 2)), { line: 9 }],
  ['no frame whose file has no name', traceback(marked, frame('', 8)), { line: 3 }],
  ['no file whose name goes on', traceback(marked, frame('n'.repeat(301), 8)), { line: 3 }],
])('is in %s', (_, stderr, place) => {
  expect(raisedError(stderr, 'python')).toMatchObject({ name: 'KeyError', message: "'x'", ...place })
})

test('is on its line alone where the marks are beyond what is read', () => {
  expect(raisedError(traceback(frame('program.py', 3, '    x', farAway)), 'python')).toEqual({
    name: 'KeyError',
    message: "'x'",
    line: 3,
  })
})

test('goes on for four lines of its message', () => {
  const stderr = `${traceback(marked)}two\nthree\n\nfive\nsix\n`
  expect(raisedError(stderr, 'python')?.message).toBe("'x'\ntwo\nthree\n\nfive")
})
