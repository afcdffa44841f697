import { expect, test } from 'vitest'
import { firstSentence, nounFrom, titleFrom } from '../../../../server/tools/planned/derived-words.ts'

test.each([
  ['issues.close', 'Close issue', 'the issue'],
  ['entries.list', 'List entries', 'the entry'],
  ['addresses.add', 'Add address', 'the address'],
  ['caches.clear', 'Clear cache', 'the cache'],
  ['statuses.set', 'Set status', 'the status'],
  ['status.set', 'Set status', 'the status'],
  ['sms.send', 'Send sms', 'the sms'],
  ['news.publish', 'Publish news', 'the news'],
  ['movies.rent', 'Rent movie', 'the movie'],
  ['todos.add', 'Add todo', 'the todo'],
  ['canvas.draw', 'Draw canvas', 'the canvas'],
  ['shop.place_order', 'Place order', 'the order'],
])('%s is "%s", and about "%s"', (name, title, noun) => {
  expect([titleFrom(name), nounFrom(name)]).toStrictEqual([title, noun])
})

test('the first sentence of a description ends where it does', () => {
  expect(firstSentence('Sends v1.2 to all. Then it ends.')).toBe('Sends v1.2 to all.')
  expect(firstSentence(' Closes it ')).toBe('Closes it')
})
