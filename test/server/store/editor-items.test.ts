// An editor's own database is looked into while the editor may be at work in it: what it has committed is what is read, and
// nothing is left beside it.
import { copyFileSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { readEditorItems } from '../../../server/store/store.ts'
import { place } from './store-fixture.ts'

/** A database as editors have it, with one key. */
function editorDatabase(journal: 'delete' | 'wal'): { file: string; editor: DatabaseSync } {
  const file = join(place(), 'state.vscdb')
  const editor = new DatabaseSync(file)
  onTestFinished(() => {
    if (editor.isOpen) editor.close()
  })
  editor.exec(`pragma journal_mode = ${journal}`)
  editor.exec('create table ItemTable (key text unique on conflict replace, value blob)')
  const add = editor.prepare('insert into ItemTable values (?, ?)')
  add.run('switches', Buffer.from('as committed'))
  editor.exec('begin')
  for (let count = 0; count < 500; count++) add.run(`other ${count}`, 'x'.repeat(1000))
  editor.exec('commit')
  return { file, editor }
}

/** Begins a change of every page, so that the first of them stand in the file before it is committed. */
function beginLargeChange(editor: DatabaseSync): void {
  editor.exec("pragma cache_size = 10; begin exclusive; update ItemTable set value = 'never committed'")
}

test.each(['delete', 'wal'] as const)(
  'a key is read where the editor is closed (%s), and nothing is left',
  async (journal) => {
    const { file, editor } = editorDatabase(journal)
    editor.close()
    expect(await readEditorItems(file, ['switches'])).toEqual({
      ok: true,
      value: new Map([['switches', 'as committed']]),
    })
    expect(await readEditorItems(file, ['another'])).toEqual({ ok: true, value: new Map() })
    expect(readdirSync(dirname(file))).toEqual(['state.vscdb'])
  },
)

test('what an editor is writing is not read before it is committed', async () => {
  const { file, editor } = editorDatabase('delete')
  beginLargeChange(editor)
  const read = readEditorItems(file, ['switches'])
  setTimeout(() => editor.exec('rollback'), 50)
  expect(await read).toEqual({ ok: true, value: new Map([['switches', 'as committed']]) })
})

test('what an editor has committed to its log is read', async () => {
  const { file, editor } = editorDatabase('wal')
  editor.exec("update ItemTable set value = 'just now'")
  expect(await readEditorItems(file, ['switches'])).toEqual({ ok: true, value: new Map([['switches', 'just now']]) })
})

test('where an editor ended in the middle of a write, that is said with what to do', async () => {
  const { file, editor } = editorDatabase('delete')
  beginLargeChange(editor)
  const left = join(place(), 'state.vscdb')
  for (const end of ['', '-journal']) copyFileSync(`${file}${end}`, `${left}${end}`)
  expect(await readEditorItems(left, ['switches'])).toEqual({
    ok: false,
    failure: 'the editor ended in the middle of a write; start it and close it once',
  })
})

test('what is no database is said to be none', async () => {
  const file = join(place(), 'state.vscdb')
  writeFileSync(file, 'a text that is longer than the header of a database, which has one hundred bytes. '.repeat(2))
  expect(await readEditorItems(file, ['switches'])).toEqual({ ok: false, failure: 'it is no SQLite database' })
})
