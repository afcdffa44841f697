// What a person reads when something between the page and its server goes wrong.
import { expect, test } from 'vitest'
import { troubleOf } from '../../../ui/playground/chat/trouble.ts'

test.each([
  ['Chromium', 'Failed to fetch dynamically imported module: http://127.0.0.1/playground/assets/connection-x.js'],
  ['Firefox', 'error loading dynamically imported module: http://127.0.0.1/playground/assets/connection-x.js'],
  ['Safari', 'Importing a module script failed.'],
])('a part of the page that does not arrive is no server that does not answer (%s)', (_, message) => {
  expect(troubleOf(new TypeError(message))).toMatchObject({
    message: 'A part of this page did not arrive.',
    reload: true,
  })
})

test('nobody at the other end is a server that does not answer', () => {
  expect(troubleOf(new TypeError('Failed to fetch'))).toMatchObject({
    message: 'The server does not answer.',
    reload: true,
  })
})
