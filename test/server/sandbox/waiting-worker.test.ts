// A worker that waits booted for the next session is a matter of time alone: what programs use does not depend on it.
import { expect, test } from 'vitest'
import { openedForTest } from './opened.ts'

test.each([
  ['javascript', ['1 + 1', 'nothing.here', '1 + 1', 'nothing.here']],
  ['python', ['1 + 1', '1 / 0', '1 + 1', '1 / 0', 'def f(', 'import ast']],
] as const)(
  '%s uses the same fuel whether its worker waited or not, and the first programs of a session not much more than the next',
  async (language, programs) => {
    const { run, session } = openedForTest()
    const used = async () => {
      const sessionId = await session(language)
      const all: { readonly fuel: number; readonly imports: unknown }[] = []
      for (const code of programs) {
        const { fuel, imports } = await run(language, code, { sessionId })
        all.push({ fuel: fuel.consumed, imports })
      }
      return all
    }
    // Nothing waits for the first session of a sandbox; for the second one a worker does.
    const started = await used()
    expect(await used()).toStrictEqual(started)
    for (const at of [0, 1]) expect(started[at]?.fuel).toBeLessThan(2 * (started[at + 2]?.fuel ?? 0))
  },
)
