// References in settings: what becomes a value, what stays as it stands, and what is refused because it would pass for text.
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { expandText, secretsNamed, wrongReference } from '../../../server/config/references.ts'
import { isSecretName } from '../../../server/model/secret-name.ts'

test('a name is a secret’s where it is kept and where it is named, by one rule', () => {
  const odd = fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty', '', 'a b', '.a', 'a}', 'ä')
  const anything = fc.oneof(fc.string({ maxLength: 130 }), odd, fc.stringMatching(/^[\w.-]{1,130}$/))
  fc.assert(
    fc.property(anything, (name) => {
      // `${secret:-x}` is the variable `secret` with a default.
      fc.pre(!/[{}$]|^-/.test(name))
      const text = `\${secret:${name}}`
      expect(secretsNamed(text)).toEqual(isSecretName(name) ? [`secret:${name}`] : [])
      expect(wrongReference(text) === undefined).toBe(isSecretName(name))
    }),
  )
  for (const name of ['__proto__', 'constructor', '', 'a b', '.a', 'x'.repeat(122)])
    expect(isSecretName(name)).toBe(false)
  for (const name of ['a', 'docs.x-key', '_A-1', 'x'.repeat(121)]) expect(isSecretName(name)).toBe(true)
})

test.each([
  ['${secret:NAME:-x}', /default/],
  ['${secret:}', /name/],
  ['${secret:a b}', /name/],
  ['Bearer ${secret: NAME}', /name/],
  ['${secrets:NAME}', /name/],
  ['${Secret:NAME}', /name/],
  ['${secret:NAME', /closed/],
  ['${secret:${NAME}}', /closed/],
])('%s is refused, and what stands in it is not repeated', (text, why) => {
  expect(wrongReference(text)).toMatch(why)
  expect(wrongReference(text)).not.toContain('NAME')
})

test('what is escaped or is no reference to a secret stays as it stands', () => {
  const kept = [
    '$${secret:NAME:-x}',
    '$${secret:}',
    '${secret}',
    '${SECRET:-x}',
    'secret:NAME',
    '{secret:NAME:-x}',
    '$secret:x',
  ]
  for (const text of kept) expect([text, wrongReference(text)]).toEqual([text, undefined])
  expect(expandText('$${secret:NAME:-x} $${secret:a b}', {})).toEqual({
    ok: true,
    value: '${secret:NAME:-x} ${secret:a b}',
  })
})

test('a variable that only every object has is not set', () => {
  for (const name of ['constructor', '__proto__', 'toString'])
    expect(expandText(`\${${name}}`, {})).toEqual({ ok: false, failure: name })
})
