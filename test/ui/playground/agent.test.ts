import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatApply, formatCancel, formatPreview } from '../../../server/confirm/message.ts'
import { answerTo } from '../../../ui/playground/chat/agent.ts'

const knowsAll = (): boolean => true

describe('the scripted agent', () => {
  test('repeats a confirmed call with exactly its arguments', () => {
    const args = fc.array(fc.tuple(fc.stringMatching(/^[a-z]{3,8}$/), fc.jsonValue({ noUnicodeString: false })))
    fc.assert(
      fc.property(args, (given) => {
        const own = Object.entries(Object.fromEntries(given)).map(
          ([name, value]) => [name, JSON.parse(JSON.stringify(value)) as unknown] as const,
        )
        expect(answerTo(formatApply('orders_create', own), knowsAll)).toEqual({
          kind: 'call',
          why: 'applies',
          tool: 'orders_create',
          args: { ...Object.fromEntries(own), preview: false },
        })
      }),
    )
  })

  test('previews again when a card asks for it, and only acknowledges a Cancel', () => {
    expect(answerTo(formatPreview('orders_delete', [['id', 'SO-1']]), knowsAll)).toMatchObject({ why: 'previews' })
    const answer = answerTo(formatCancel('the sales order', 'pl_1'), knowsAll)
    expect(answer).toEqual({ kind: 'say', text: 'Understood. I do not apply the sales order.' })
  })

  test('calls nothing for a tool it does not have', () => {
    expect(answerTo(formatApply('rm_rf', []), () => false)).toMatchObject({ kind: 'say' })
  })

  test('calls nothing for any other line', () => {
    fc.assert(
      fc.property(fc.string(), (line) => {
        expect(answerTo(line, knowsAll).kind).toBe('say')
      }),
    )
    for (const line of ['Apply: call x(', 'Apply: call x(a=1)', ' Apply: call x(preview=False) and more'])
      expect([line, answerTo(line, knowsAll).kind]).toEqual([line, 'say'])
  })
})
