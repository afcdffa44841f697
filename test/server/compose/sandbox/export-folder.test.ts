// Names of files come from an agent. Whatever it writes there, nothing outside of the operator's folder is read or written.
import { lstatSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { exportFolder } from '../../../../server/compose/sandbox/export-folder.ts'
import { place } from '../../store/store-fixture.ts'

const bytes = new TextEncoder().encode('a,b\n')

test('a file is written where nothing stood, in folders that are made for it, and replaced as a whole', async () => {
  const root = join(place(), 'exports')
  const folder = exportFolder(root)
  expect(await folder.look('out/data.csv')).toEqual({ ok: true, value: { file: join(root, 'out', 'data.csv') } })
  expect(await folder.write('out/data.csv', bytes)).toEqual({ ok: true, value: undefined })
  const file = join(realpathSync(root), 'out', 'data.csv')
  expect(readFileSync(file, 'utf8')).toBe('a,b\n')
  const there = await folder.look('out/data.csv')
  expect(there.ok && [there.value.file, new TextDecoder().decode(there.value.bytes)]).toEqual([file, 'a,b\n'])
  await folder.write('out/data.csv', new TextEncoder().encode('c'))
  expect(readFileSync(file, 'utf8')).toBe('c')
})

test('links, folders and what lies outside are refused and stay as they are', async () => {
  const root = place()
  const outside = place()
  writeFileSync(join(outside, 'secret'), 'kept')
  mkdirSync(join(root, 'folder'))
  writeFileSync(join(root, 'file'), '')
  symlinkSync(outside, join(root, 'linked'))
  symlinkSync(join(outside, 'secret'), join(root, 'link'))
  symlinkSync(join(outside, 'nothing'), join(root, 'dangling'))
  const folder = exportFolder(root)
  for (const path of [
    'linked/secret',
    'link',
    'dangling',
    'folder',
    'file/below',
    '../x',
    '/etc/passwd',
    'a//b',
    '.',
    'c:x',
    'a\\b',
    'nul',
  ]) {
    expect(await folder.look(path), path).toMatchObject({ ok: false })
    expect(await folder.write(path, bytes), path).toMatchObject({ ok: false })
  }
  expect(readFileSync(join(outside, 'secret'), 'utf8')).toBe('kept')
  expect(lstatSync(join(root, 'link')).isSymbolicLink()).toBe(true)
})

test('whatever path is named, what is accepted lies in the folder', async () => {
  const root = realpathSync(place())
  const folder = exportFolder(root)
  const part = fc.constantFrom('..', '.', '', 'a', 'b.txt', ' ', '~', '%2e%2e', '\u0000', '..\\', 'C:', 'é', '-')
  await fc.assert(
    fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 5 }), async (parts) => {
      const looked = await folder.look(parts.join('/'))
      if (looked.ok) expect(looked.value.file.startsWith(root + sep)).toBe(true)
    }),
  )
})
