import { afterEach, expect, test, vi } from 'vitest'
import { casesOf, runsOf } from './full.ts'

afterEach(() => void vi.unstubAllEnvs())

const hosts = ['turn', 'prefill', 'no-meta', 'no-apps']

test('`npm test` takes the named cases, in the order in which all of them stand', () => {
  vi.stubEnv('COUNTERSIGN_TEST', '')
  expect(casesOf(hosts, String, ['no-apps', 'turn'])).toEqual(['turn', 'no-apps'])
})

test('`npm run test:full` takes all of them', () => {
  vi.stubEnv('COUNTERSIGN_TEST', 'full')
  expect(casesOf(hosts, String, ['turn'])).toEqual(hosts)
})

test('of the runs of a property it takes a tenth, and in a full run all', () => {
  vi.stubEnv('COUNTERSIGN_TEST', '')
  expect([runsOf(100), runsOf(3)]).toEqual([10, 1])
  vi.stubEnv('COUNTERSIGN_TEST', 'full')
  expect(runsOf(100)).toBe(100)
})

test.each(['', 'full'])('a name that fits no case, or no name, stops the run (COUNTERSIGN_TEST=%j)', (value) => {
  vi.stubEnv('COUNTERSIGN_TEST', value)
  expect(() => casesOf(hosts, String, ['turn', 'trun'])).toThrow('There is no case trun.')
  expect(() => casesOf(hosts, String, [])).toThrow('There is no case at all.')
})

test('a value that means nothing is refused by name', () => {
  vi.stubEnv('COUNTERSIGN_TEST', 'ful')
  expect(() => casesOf(hosts, String, ['turn'])).toThrow('COUNTERSIGN_TEST is "ful". Set it to "full"')
})
