// What the playground remembers of a tab, and what it lets an address ask for.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fromAddress } from '../../../ui/playground/tools/deep-link.ts'
import { readLook, writeLook } from '../../../ui/playground/gallery/look.ts'
import {
  loadSessions,
  reduceSessions,
  saveSessions,
  type SavedSessions,
  type SavedSessionsEvent,
} from '../../../ui/playground/sessions/session.ts'

const memory = (): Storage => {
  const kept = new Map<string, string>()
  return {
    get length() {
      return kept.size
    },
    clear: () => kept.clear(),
    key: (at) => [...kept.keys()][at] ?? null,
    getItem: (key) => kept.get(key) ?? null,
    removeItem: (key) => void kept.delete(key),
    setItem: (key, value) => void kept.set(key, value),
  }
}

const id = fc.constantFrom('1', 'a', 'b', 'c')
const event: fc.Arbitrary<SavedSessionsEvent> = fc.oneof(
  fc.record({ kind: fc.constant('opened' as const), id }),
  fc.record({ kind: fc.constant('closed' as const), id }),
  fc.record({ kind: fc.constant('changed' as const), id, change: fc.record({ server: fc.webUrl() }) }),
)

describe('sessions', () => {
  test('whatever happens, there is one, the open one is among them, and it survives a reload', () => {
    fc.assert(
      fc.property(fc.array(event), fc.nat(5), (events, added) => {
        let saved: SavedSessions = loadSessions(memory())
        for (let at = 0; at < added; at += 1) saved = reduceSessions(saved, { kind: 'added', id: `n${at}` })
        for (const one of events) saved = reduceSessions(saved, one)
        expect(saved.sessions.map((session) => session.id)).toContain(saved.open)
        const storage = memory()
        saveSessions(storage, saved)
        expect(loadSessions(storage)).toEqual(saved)
      }),
    )
  })

  test('what is damaged is forgotten', () => {
    for (const damaged of ['{', 'null', '[]', '{"sessions":[{}]}', '{"sessions":"x"}', '"x"']) {
      const storage = memory()
      storage.setItem('countersign.playground.sessions.1', damaged)
      expect(loadSessions(storage).sessions).toHaveLength(1)
    }
  })
})

test('an address asks for a form, or for nothing', () => {
  expect(fromAddress('#tool=orders_create&args=%7B%22customer%22%3A%22ACME%22%7D')).toEqual({
    tool: 'orders_create',
    args: { customer: 'ACME' },
  })
  expect(fromAddress('#tool=x&args=[1]')).toEqual({ tool: 'x', args: {} })
  expect(fromAddress('#tool=x&args={')).toEqual({ tool: 'x', args: {} })
  expect([fromAddress(''), fromAddress('#tool='), fromAddress('#only=x')]).toEqual([undefined, undefined, undefined])
})

test("the gallery's address says what is not as usual, and nonsense is as usual", () => {
  const usual = readLook('')
  expect(writeLook(usual)).toBe('')
  const look = { ...usual, theme: 'both', language: 'ar-EG', width: 320, profile: 'no-meta', only: 'high' } as const
  expect(readLook(writeLook(look))).toEqual(look)
  expect(readLook('#theme=pink&width=7&profile=mars&language=xx')).toEqual(usual)
})
