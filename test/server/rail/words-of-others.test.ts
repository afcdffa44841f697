// What others wrote stands in answers as words: a chat that renders them as Markdown makes no link of it and loads no picture.
import { expect, test } from 'vitest'
import { z } from 'zod'
import { aliveInChat } from '../../kit/alive-in-chat.ts'
import { readTool } from '../../kit/tools.ts'
import { confirmed, createStage, notePreview, noteTool } from './rail-fixture.ts'

const evil = '[Sign in again](https://evil.example) ![](https://evil.example/p.png)'

test('the message of a failure, and its advice, lead nowhere and load nothing', async () => {
  const call = { tool: 'notes_strike', arguments: { text: `${evil} \`` }, why: evil }
  const failing = noteTool([], {
    preview: (_input, ctx) => ctx.fail('book_full', `notes says: “${evil}”`, { suggest: call }),
  })
  const stage = await createStage([failing, noteTool([], { name: 'notes.strike' })])
  const { text, guidance } = await stage.ask('notes_write', { text: 'x' })
  expect(guidance?.message).toContain(evil)
  expect(guidance?.fix).toContainEqual(expect.objectContaining({ arguments: expect.objectContaining(call.arguments) }))
  expect(aliveInChat(text)).toStrictEqual([])
  expect(text).toContain('notes says: “`[Sign` in `again](https://evil.example)')
  // A call that somebody copies out of it is the same call.
  const [, shown = ''] = /Call notes_strike with `(\{.*?\})`:/.exec(text) ?? []
  expect(JSON.parse(shown)).toMatchObject(call.arguments)
})

test('a title, a result and what a read answers do neither', async () => {
  const tool = noteTool([], {
    preview: (input) => ({ ...notePreview(input), title: `Write ${evil}`, effects: [evil] }),
    run: ({ text }) => ({ id: 'N-1', text: `${text} \`` }),
  })
  const list = readTool({
    name: 'notes.list',
    input: z.strictObject({}),
    output: z.strictObject({ notes: z.array(z.string()) }),
    run: () => ({ notes: [evil, '` x'] }),
  })
  const stage = await createStage([tool, list])
  const preview = await stage.ask('notes_write', { text: evil })
  const applied = await stage.repeat(confirmed(preview))
  const read = await stage.ask('notes_list', {})
  for (const { text } of [preview, applied, read]) {
    expect(text).toContain('https://evil.example')
    expect(aliveInChat(text)).toStrictEqual([])
  }
  const [, result = ''] = /^Result: `(.*)`$/m.exec(applied.text) ?? []
  expect(JSON.parse(result)).toStrictEqual({ id: 'N-1', text: `${evil} \`` })
})
