import { render } from '@testing-library/preact'
import { expect, test } from 'vitest'
import type { Reader } from '../../../ui/parts/reader.ts'
import { en } from '../../../server/cards/words/en.ts'
import { DataView } from '../../../ui/playground/chat/data-view.tsx'

const reader: Reader = { words: en, language: 'en', locale: 'en-GB', timeZone: 'UTC', openLink: () => {} }

const factsOf = (data: Readonly<Record<string, unknown>>): readonly string[] =>
  [...render(<DataView data={data} reader={reader} />).container.querySelectorAll('div')]
    .filter((fact) => fact.querySelector('dl') === null)
    .map((fact) => [...fact.children].map(({ textContent }) => textContent).join(': '))

test('an object in an object is read as facts, one with a list in it as it was sent', () => {
  expect(factsOf({ campaign: { status: 'stopped', counts: { accepted: 207, stopped: 4602 }, unknown: [] } })).toEqual([
    'Status: stopped',
    'Accepted: 207',
    'Stopped: 4,602',
    'Unknown: none',
  ])
  expect(factsOf({ campaign: { names: ['a', 'b'] } })).toEqual(['Campaign: {"names":["a","b"]}'])
})

test('a hash stays out of a table, whose columns tell a person something', () => {
  const files = [
    { name: 'a.txt', sha256: '0'.repeat(64), bytes: 12 },
    { name: 'b.txt', sha256: 'f'.repeat(64), bytes: 7 },
  ]
  const { container } = render(<DataView data={{ files }} reader={reader} />)
  expect([...container.querySelectorAll('th[scope=col]')].map(({ textContent }) => textContent)).toEqual([
    'Name',
    'Bytes',
  ])
  expect(container.textContent).toContain('1 more field of each in the structured result.')
})
