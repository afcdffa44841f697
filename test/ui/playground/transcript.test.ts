import { describe, expect, test } from 'vitest'
import { loadTranscript, saveTranscript, type Entry } from '../../../ui/playground/chat/transcript.ts'

/** A tab's storage with room for so many characters. */
function storageOf(room: number): Storage {
  const values = new Map<string, string>()
  return {
    get length() {
      return values.size
    },
    clear: () => values.clear(),
    key: () => null,
    getItem: (key) => values.get(key) ?? null,
    removeItem: (key) => void values.delete(key),
    setItem: (key, value) => {
      if (value.length > room) throw new DOMException('full', 'QuotaExceededError')
      values.set(key, value)
    },
  }
}

const line = (n: number): Entry => ({ kind: 'agent', id: `e${n}`, at: n, text: 'x'.repeat(100) })

describe('the conversation over a reload', () => {
  test('comes back as it was', () => {
    const storage = storageOf(1e6)
    const entries = [line(1), line(2)]
    saveTranscript(storage, entries)
    expect(loadTranscript(storage)).toEqual(entries)
  })

  test('loses its oldest lines first where there is no room', () => {
    const storage = storageOf(1000)
    saveTranscript(
      storage,
      Array.from({ length: 40 }, (_, n) => line(n)),
    )
    const kept = loadTranscript(storage)
    expect(kept.length).toBeGreaterThan(0)
    expect(kept.at(-1)).toEqual(line(39))
  })

  test('a call whose answer never arrived says so, and how to get it', () => {
    const storage = storageOf(1e6)
    const call: Entry = { kind: 'call', id: 'c', at: 1, why: 'applies', tool: 't', args: {}, end: { kind: 'running' } }
    saveTranscript(storage, [call])
    expect(loadTranscript(storage)).toMatchObject([{ end: { kind: 'failed', trouble: { reload: false } } }])
  })

  test('is empty where it was damaged', () => {
    const storage = storageOf(1e6)
    saveTranscript(storage, [line(1)])
    for (const damaged of ['{"not":"a list"', '{}', 'null', ''])
      expect([damaged, loadTranscript(Object.assign(storage, { getItem: () => damaged }))]).toEqual([damaged, []])
  })
})
