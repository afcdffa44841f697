import { render } from '@testing-library/preact'
import { expect, test } from 'vitest'
import type { Reader } from '../../../ui/parts/reader.ts'
import { en } from '../../../ui/parts/words/en.ts'
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
    'Unknown: not set',
  ])
  expect(factsOf({ campaign: { names: ['a', 'b'] } })).toEqual(['Campaign: {"names":["a","b"]}'])
})
