// What an answer offers next must be there to be taken, and what a person agreed to must come back as it was: calls that
// are suggested, calls that undo, results of yesterday, and words that must be typed.
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Answer } from '../../../server/rail/answers/outcome.ts'
import type { Contract } from '../../../server/tools/contract.ts'
import { applyMessage, confirmed, createStage, notePreview, noteTool, previewAgainMessage } from './rail-fixture.ts'

type Call = { readonly tool: string; readonly arguments: Record<string, unknown> }

const unusable: readonly (readonly [string, Call])[] = [
  ['a tool of nowhere', { tool: 'notes_burn', arguments: { text: 'x' } }],
  ['a tool that is not for AI', { tool: 'notes_hide', arguments: { text: 'x' } }],
  ['an argument of nowhere', { tool: 'notes_strike', arguments: { text: 'x', zzz: 1 } }],
  ['an argument of a wrong type', { tool: 'notes_strike', arguments: { text: 7 } }],
  ['no arguments', { tool: 'notes_strike', arguments: {} }],
]

const others: readonly Contract[] = [
  noteTool([], { name: 'notes.strike' }),
  noteTool([], { name: 'notes.hide', risk: 'forbidden' }),
]

describe('a suggested call', () => {
  const suggesting = async (call: Call) => {
    const tool = noteTool([], {
      preview: (_input, ctx) => ctx.fail('book_full', 'The book is full.', { suggest: { ...call, why: 'It helps' } }),
      cheatsheet: 'notes',
    })
    const stage = await createStage([tool, ...others])
    return { stage, answer: await stage.ask('notes_write', { text: 'x' }) }
  }
  const calls = (answer: Answer) => answer.guidance?.fix.filter(({ kind }) => kind === 'call_tool')

  test('that can be made is offered as it stands', async () => {
    const { answer, stage } = await suggesting({ tool: 'notes_strike', arguments: { text: 'x' } })
    const [fix] = calls(answer) ?? []
    if (fix?.kind !== 'call_tool') throw new Error('No call is suggested.')
    expect((await stage.send(fix.tool, fix.arguments)).outcome).toBe('previewed')
    expect(stage.engine.reports).toStrictEqual([])
  })

  test.each(unusable)('of %s is left out, and its author hears of it', async (_, call) => {
    const { answer, stage } = await suggesting(call)
    expect(calls(answer)).toStrictEqual([])
    expect(answer.text).not.toContain(call.tool)
    expect(stage.engine.reports).toStrictEqual([expect.stringContaining('cannot be made')])
  })

  test('comes with the cheatsheet that its tool names, and the section on errors of tools', async () => {
    const { answer } = await suggesting({ tool: 'notes_strike', arguments: { text: 'x' } })
    expect(answer.guidance?.related_docs).toStrictEqual([
      'mcp://notes/cheatsheet',
      'countersign://docs/errors#the-tool-says-no',
    ])
  })
})

describe('an Undo', () => {
  test.each([
    ...unusable,
    ['a call that is more than a preview', { tool: 'notes_strike', arguments: { text: 'x', preview: false } }],
    ['a call with a ticket', { tool: 'notes_strike', arguments: { text: 'x', ticket: 'pl_1' } }],
  ] as const)('with %s is left out, and its author hears of it', async (_, call) => {
    const stage = await createStage([noteTool([], { undo: () => ({ ...call, label: 'Take it back' }) }), ...others])
    const applied = await stage.repeat(confirmed(await stage.ask('notes_write', { text: 'x' })))
    expect(applied).toMatchObject({ outcome: 'applied', result: { id: 'N-1' } })
    expect(previewAgainMessage(applied)).toBeUndefined()
    expect(stage.engine.reports).toStrictEqual([expect.stringContaining('notes.write undo')])
  })
})

describe('a replay', () => {
  const twice = async (change: Parameters<typeof noteTool>[1]): Promise<readonly [Answer, Answer]> => {
    const stage = await createStage([noteTool([], change)])
    const message = confirmed(await stage.ask('notes_write', { text: 'x' }))
    return [await stage.repeat(message), await stage.repeat(message)]
  }

  test('brings the result back as it was, where its schema changes what it has itself parsed', async () => {
    const length = z.strictObject({ id: z.string().transform((id) => id.length) })
    const [applied, replayed] = await twice({ output: length as never, run: () => ({ id: 'N-100' }) as never })
    expect(applied).toMatchObject({ outcome: 'applied', result: { id: 5 } })
    expect(replayed).toMatchObject({ outcome: 'replayed', result: { id: 5 } })
    expect(replayed.text).toContain('Result: {"id":5}')
  })

  test('of a tool that answers nothing says nothing of a result', async () => {
    for (const answer of await twice({ output: z.void() as never, run: () => undefined as never })) {
      expect(answer.text).not.toContain('Result:')
      expect(answer.text).not.toContain('no longer stored')
    }
  })

  test('of an answer that broke its contract says that there is none', async () => {
    const [applied, replayed] = await twice({ run: () => ({ wrong: true }) as never })
    expect(applied.outcome).toBe('applied')
    expect(replayed.outcome).toBe('replayed')
    expect(replayed.result).toBeUndefined()
    expect(replayed.text).toContain('no longer stored')
    expect(replayed.text).not.toContain('The recorded result')
  })
})

describe('a contract that wants something typed', () => {
  const typed = (phrase?: string) =>
    createStage([
      noteTool([], {
        confirmation: 'type-name',
        preview: (input) => ({ ...notePreview(input), ...(phrase === undefined ? {} : { confirmPhrase: phrase }) }),
      }),
    ])

  test('gets a card that asks for it', async () => {
    expect((await (await typed('N-7')).ask('notes_write', { text: 'x' })).card?.confirm_phrase).toBe('N-7')
  })

  test('gets no button where its preview does not say what', async () => {
    const stage = await typed()
    const answer = await stage.ask('notes_write', { text: 'x' })
    expect(answer).toMatchObject({ outcome: 'failed', guidance: { error_type: 'tool_error' } })
    expect(applyMessage(answer)).toBeUndefined()
    expect(stage.engine.reports).toStrictEqual([expect.stringContaining('names no confirmPhrase')])
  })
})
