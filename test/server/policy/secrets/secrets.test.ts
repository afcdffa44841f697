// Everyday texts, each with a secret that nobody may find after redaction, and everyday texts that only look like it and
// must stay, or the record tells nothing. The other parts of the corpus are counted, not tested: `npm run bench -- secrets`.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { redact, redactText } from '../../../../server/policy/redact.ts'
import { isHidden, isLeft, samplesOf } from './corpus.ts'

const all = ['tuned', 'held-out', 'apart', 'further'] as const
const texts = all
  .flatMap((half) => [...samplesOf(`${half}-secrets`), ...samplesOf(`${half}-harmless`)])
  .map(({ value }) => (typeof value === 'string' ? value : JSON.stringify(value)))

test('there are at least 200 secrets and 200 look-alikes, and each stands once', () => {
  for (const kind of ['secrets', 'harmless']) {
    const lines = all.flatMap((half) => samplesOf(`${half}-${kind}`)).map(({ line }) => line)
    expect(lines.length).toBeGreaterThanOrEqual(200)
    expect(new Set(lines).size).toBeGreaterThan(lines.length - 12)
  }
})

describe('is hidden', () => {
  test.each(samplesOf('tuned-secrets').map((sample) => [sample.line, sample] as const))(
    'in the line %s',
    (_, sample) => {
      expect(isHidden(sample), JSON.stringify(redact({ sample: sample.value }))).toBe(true)
    },
  )
})

describe('is left as it is', () => {
  test.each(samplesOf('tuned-harmless').map((sample) => [sample.line, sample] as const))(
    'in the line %s',
    (_, sample) => {
      expect(isLeft(sample), JSON.stringify(redact({ sample: sample.value }))).toBe(true)
    },
  )
})

/** What of a text changes when it is hidden a second time. */
const changedAgain = (text: string): readonly string[] => {
  const once = redactText(text)
  const again = redactText(once)
  return again === once ? [] : [once, again]
}

test('what was hidden once stays as it is', () => {
  expect(texts.map(changedAgain).filter((each) => each.length > 0)).toStrictEqual([])
})

test('what was hidden once stays as it is, whatever stands around it', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...texts), { minLength: 2, maxLength: 3 }), (parts) => {
      expect(changedAgain(parts.join('\n'))).toStrictEqual([])
    }),
  )
})

describe('of what is too long', () => {
  test('a text keeps its beginning, and a secret across its end is not cut into a harmless one', () => {
    const token = ['ghp', 'aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zC1234'].join('_')
    const shown = redactText(`${'x '.repeat(31_990)}${token}${' y'.repeat(2_000_000)}`)
    expect(shown.length).toBeLessThan(65_000)
    expect(shown).toContain('more characters]')
    expect(shown).not.toContain(token.slice(0, 8))
  })

  test('a value keeps its first members, and says that there were more', () => {
    const shown = JSON.stringify(
      redact({ list: Array.from({ length: 300_000 }, (_, at) => at), password: 'x'.repeat(9) }),
    )
    expect(shown).toContain('[too much to record]')
    expect(shown.length).toBeLessThan(200_000)
    expect(JSON.stringify(redact(Array.from({ length: 100 }, () => 'x'.repeat(50_000)))).length).toBeLessThan(80_000)
  })
})
