// A body comes from a model: what would keep the server busy is refused before it is read.
import { expect, test } from 'vitest'
import { renderBody, unreadable } from '../../../../../server/toolsets/mail/send-external/body.ts'
import { sendInput } from '../../../../../server/toolsets/mail/send-external/input.ts'

const problemOf = (body: string): string | undefined =>
  sendInput.safeParse({ to: ['bea@other.example'], subject: 'Hi', body }).error?.issues[0]?.message

test.each([
  ['much emphasis that does not close', '**a_'.repeat(7500)],
  ['quotes in quotes', '> '.repeat(15_000)],
  ['lists in lists', '1. - '.repeat(6000)],
])('a body with %s is refused', (_, body) => {
  expect(problemOf(body)).toBe(unreadable)
})

test('a long letter with lists, quotes and emphasis is not', () => {
  expect(problemOf('- **Point**: _this_ and that.\n  > quoted\n'.repeat(240))).toBeUndefined()
})

test.each([
  '[**bank.example**](https://evil.example)',
  '[bank&#46;example](https://evil.example)',
  '[HTTPS:\\/\\/bank.example](https://evil.example)',
  '[“bank.example” →](https://evil.example)',
  '[ba\u00ADnk.example](https://evil.example)',
  '[ann@bank.example](mailto:ann@evil.example)',
])('a link that reads as another host claims it, whatever stands around: %s', async (body) => {
  expect((await renderBody(body)).links).toMatchObject([{ host: 'evil.example', claimed: 'bank.example' }])
})

test('a link that names its own host claims no other', async () => {
  const { links } = await renderBody(
    '[**bank.example**](https://www.bank.example/a) ann@bank.example [a.b](https://a.example)',
  )
  expect(links.map(({ claimed }) => claimed)).toStrictEqual([undefined, undefined, undefined])
})

test('what is written as a character reference reads the same as text and as HTML', async () => {
  const { text, html } = await renderBody('AT&amp;T &lt;b&gt; &copy; `&copy;` \\& &#169;')
  expect(text).toBe('AT&T <b> &copy; &copy; & ©')
  expect(html).toContain('<p>AT&amp;T &lt;b&gt; &amp;copy; <code>&amp;copy;</code> &amp; ©</p>')
})
