// Every canary is a secret in a place where secrets turn up, and none of them may be seen after redaction; and what only
// looks like one must stay, or the record tells nothing.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { redact, redacted, redactText } from '../../../../server/policy/redact.ts'
import { canaries } from '../../http/activity/canaries.ts'

describe('a secret', () => {
  test('there are at least fifty canaries, all different', () => {
    expect(new Set(canaries.map(({ secret }) => secret)).size).toBe(canaries.length)
    expect(canaries.length).toBeGreaterThanOrEqual(50)
  })

  test.each(canaries.map((canary) => [canary.what, canary] as const))('%s is hidden', (_, { value, secret }) => {
    const text = JSON.stringify(redact({ nested: [{ deep: value }] }))
    expect(text).not.toContain(secret)
    expect(text).toContain(redacted)
  })

  test('that the contract marks is hidden, at any index and under a key with a slash or a dash', () => {
    const value = { people: [{ 'full-name': 'Ada' }, { 'full-name': 'Bob' }], 'a/b': 'Carol', rest: 'kept' }
    expect(redact(value, ['/people/*/full-name', '/a~1b'])).toStrictEqual({
      people: [{ 'full-name': redacted }, { 'full-name': redacted }],
      'a/b': redacted,
      rest: 'kept',
    })
  })

  test.each([
    ['password: correct horse battery staple', 'password: [redacted]'],
    ['Passphrase: correct horse battery staple\nuser: ada', 'Passphrase: [redacted]\nuser: ada'],
    ['passphrase = tulip river stone cloud', 'passphrase = [redacted]'],
    ['password: correct horse battery staple, thanks', 'password: [redacted], thanks'],
    ['password: correct horse battery staple; user: ada', 'password: [redacted]; user: ada'],
    ['password: correct horse battery staple and ring me', 'password: [redacted] and ring me'],
    ['passphrase: Correct Horse Battery Staple', 'passphrase: [redacted]'],
    ['Use 482913 to verify', 'Use [redacted] to verify'],
    ['Use 482-913 to confirm', 'Use [redacted] to confirm'],
    ['use 482913 to confirm your order', 'use [redacted] to confirm your order'],
    ['door code 4711#', 'door code [redacted]'],
    ['Gate code 2580# then press enter', 'Gate code [redacted] then press enter'],
  ])('of words, or with the key that ends it, is hidden whole: %s', (text, shown) => {
    expect(redactText(text)).toBe(shown)
  })

  test('keeps its name, so that the record says what was given', () => {
    expect(redactText('password: hunter2hunter2, user: ada')).toBe(`password: ${redacted}, user: ada`)
    expect(redactText('{"api_key":"abc def","n":1}')).toBe(`{"api_key":"${redacted}","n":1}`)
    expect(redactText('postgres://ada:pw12345@db/x')).toBe(`postgres://ada:${redacted}@db/x`)
  })
})

describe('what only looks like a secret', () => {
  test.each([
    'We turned on auth SHA signatures for the API, and the VPN needs priv AES encryption.',
    'Please use 10115 to verify the postal code, 2024 to confirm the year.',
    'Enter 1234 to login room number; use 4096 as the login buffer size.',
    'Sicherheitsfrage: Wie lautet der Mädchenname?\nAntwort: bitte eintragen',
    'https://www.dropbox.com/s/q1w2e3r4t5y6u7i8o9p0/report.pdf and https://docs.google.com/s/1a2B3c4D5e6F7g8H9i0J1k2L3m4N',
    'task 3/12345678901:d41d8cd98f00b204e9800998ecf8427e md5 of part 3',
    'password: must contain letters and digits',
    'Password: please enter the one from last week',
    'passphrase: choose something long and unusual for your account',
    'Password: must contain letters, digits and signs, never your name',
    'Password: Please Contact Your Administrator, who sets it',
    'Passphrase: Minimum Twelve Characters Long, and no name of yours',
    'Use 4829 to verify, use 48291 to confirm the order, use 482913 as the width.',
  ])('stays in prose: %s', (text) => {
    expect(redactText(text)).toBe(text)
  })

  test.each([
    { max_tokens: 4096, totalTokens: 12, token_count: 3, next_page_token: 'CAUQAA', tokenizer: 'cl100k' },
    {
      compass: 'north',
      passenger: 'Ada',
      author: 'Bob',
      secretary: 'Carol',
      pinned: 'x',
      panel: 'left',
      keyboard: 'us',
    },
    { sku: 'DESK-01', order: 'SO-1042', phone: '+49 30 1234567', at: '2026-01-31T12:00:00.000Z' },
    { text: 'The password is wrong, ask for a new token.', total: '1299.00', ean: '4006381333931' },
    { link: 'https://example.org/orders/SO-1?page=2', uuid: '7c9e6679-7425-40de-944b-e07fc1f90ae7' },
    { hash: 'a94a8fe5ccb19ba61c4c0873d391e987982fbbd3', has_password: true, password: null },
  ])('stays: %j', (value) => {
    expect(redact(value)).toStrictEqual(value)
  })
})

test.each(['\\n', '\\r\\n', '\\\\n', '%0A', '\\t', '&nbsp;'])(
  'the escape behind a secret stays whole: %s',
  (escape) => {
    for (const secret of ['Cookie: sid=S8B7p6z5mSx3jQ6CgN4xdK2v', 'Authorization: Bearer S8B7p6z5mSx3jQ6CgN4xdK2v'])
      expect(redactText(`"${secret}${escape}"`)).toBe(`"${secret.split(' ')[0]} [redacted]${escape}"`)
    const line = `"Please use Cookie: sid=S8B7p6z5mSx3jQ6CgN4xdK2v${escape} for this." 0!A#AaA`
    expect(redactText(redactText(line))).toBe(redactText(line))
  },
)

test('a word that comes close to a name by what is hidden between them is hidden at once', () => {
  const token = 'sk-ant-api03-mS8B7Q6z5m4x3jQvCgN4YdK2vaH1tYE9rWa7pU0E'
  const hidden = redactText(`{"password":"canary 5mS8BjQ6z5N4"} "Please use ${token} for this." 0AAA#-a`)
  expect(hidden).toBe('{"password":"[redacted]"} "Please use [redacted] for this." [redacted]')
})

test('redacting twice changes nothing more', () => {
  const texts = fc.oneof(fc.string(), fc.constantFrom(...canaries.map(({ value }) => JSON.stringify(value))))
  fc.assert(
    fc.property(fc.array(texts, { maxLength: 4 }), (parts) => {
      const once = redactText(parts.join(' '))
      expect(redactText(once)).toBe(once)
    }),
  )
})

test('a value nested deeper than anybody confirms ends in words instead of a crash', () => {
  let deep: unknown = 'bottom'
  for (let at = 0; at < 5000; at++) deep = { deep }
  expect(JSON.stringify(redact(deep))).toContain('too deep')
})
