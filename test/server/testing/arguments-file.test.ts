// Arguments of a check, as people write them into a file: in the order in which journeys use them, and what is said of mistakes.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readArgumentsFile } from '../../../server/testing/arguments-file.ts'
import { madeArguments, type CheckedCall } from '../../../server/testing/checked-calls.ts'

function file(name: string, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-arguments-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

const read = async (path: string, tools?: readonly string[]): Promise<readonly CheckedCall[]> => {
  const calls = await readArgumentsFile(path, tools)
  if (!calls.ok) throw new Error(`${calls.failure.message} ${calls.failure.next}`)
  return calls.value
}

const madeFor = (call: CheckedCall | undefined, n: number): Promise<unknown> =>
  madeArguments(call ?? { tool: '' }, { tool: call?.tool ?? '', host: 'turn', journey: 'confirm', n })

test('a list is used one after another, and again from its beginning', async () => {
  const [call] = await read(file('ids.json', '[{"id":"1"},{"id":"2"}]'), ['issues_close'])
  expect(call?.tool).toBe('issues_close')
  expect(await Promise.all([0, 1, 2].map((n) => madeFor(call, n)))).toEqual([{ id: '1' }, { id: '2' }, { id: '1' }])
})

test('an object has a list or one object for each tool, of which --tool may choose', async () => {
  const path = file('tools.json', '{"issues_close":[{"id":"1"}],"issues_label":{"id":"2"}}')
  const [close, label] = await read(path)
  expect([close?.tool, label?.tool]).toEqual(['issues_close', 'issues_label'])
  expect([await madeFor(close, 5), await madeFor(label, 5)]).toEqual([{ id: '1' }, { id: '2' }])
  expect((await read(path, ['issues_label'])).map(({ tool }) => tool)).toEqual(['issues_label'])
})

test('a module makes the arguments of each journey', async () => {
  const path = file(
    'make.mjs',
    'export default (journey, host, n, tool) => ({ id: [journey, host, n, tool].join(" ") })',
  )
  const [call] = await read(path, ['issues_close'])
  expect(await madeFor(call, 7)).toEqual({ id: 'confirm turn 7 issues_close' })
})

test.each([
  ['no.json', undefined, ['a'], 'There is no file'],
  ['a.json', '{', ['a'], 'is not JSON'],
  ['a.json', '[1]', ['a'], 'is wrong at 0: there must be the arguments of a call, as an object.'],
  ['a.json', '[]', ['a'], 'there must be at least one object'],
  ['a.json', '{"a":[{},2]}', ['a'], 'is wrong at a'],
  ['a.json', '7', ['a'], 'is wrong'],
  ['a.json', '{}', undefined, 'names no tool'],
  ['a.json', '{"id":"1"}', ['a'], 'looks like the arguments of one call. Put them into a list'],
  ['a.json', '[{}]', undefined, 'no tool is named'],
  ['a.json', '[{}]', ['a', 'b'], 'several are'],
  ['a.json', '{"a":{}}', ['b'], 'has no arguments for b. It has some for: a.'],
  ['a.mjs', 'export const more = 1', ['a'], 'exports no function'],
  ['a.mjs', 'export default () => ({})', undefined, 'Name the tools with --tool'],
  ['a.mjs', 'export default (', ['a'], 'could not be loaded'],
])('of %s with %j for %j it is said: %s', async (name, text, tools, said) => {
  const path = text === undefined ? name : file(name, text)
  await expect(read(path, tools)).rejects.toThrow(said)
})

test.each([
  [() => 7 as never, 'answered number for issues_close, journey 3 (confirm in the host turn).'],
  [() => [] as never, 'answered an array'],
  [
    () => {
      throw new Error('no more issues')
    },
    'threw for issues_close, journey 3 (confirm in the host turn): no more issues.',
  ],
])('a function that makes no arguments is named with the journey (%#)', async (args, said) => {
  await expect(madeFor({ tool: 'issues_close', args }, 3)).rejects.toThrow(said)
})
