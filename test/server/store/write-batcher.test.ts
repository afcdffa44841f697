// What the database says to all alike (it is away, another process holds its lock) is heard by all at once. Were each of
// many asked for by itself, the last one would wait for minutes.
import { describe, expect, test } from 'vitest'
import { StoreAway } from '../../../server/store/postgres/loss.ts'
import { createWriteBatcher, type Transact } from '../../../server/store/write-batcher.ts'

const cut = new Error('cut')
const busy = Object.assign(new Error('database is locked'), { errcode: 5 })

/** A database whose transactions end like this, one after the other, and how many there were. */
const databaseThat = (...ends: readonly ((take: (again: boolean) => Promise<unknown>) => Promise<unknown>)[]) => {
  let begun = 0
  const transact: Transact = async (_durable, work) => {
    const end = ends[begun++]
    const take = (again: boolean) =>
      work({} as never, (steps) => steps({} as never), { again, changed: () => undefined })
    if (end === undefined) return take(false)
    await end(take)
    throw new Error('It ended otherwise.')
  }
  const { write, settled } = createWriteBatcher(transact)
  return { settled, begun: () => begun, step: () => write({ how: 'soon', entries: () => Promise.resolve('written') }) }
}

const fails = (error: Error) => () => Promise.reject(error)
const reasons = async (steps: readonly Promise<unknown>[]): Promise<readonly unknown[]> =>
  (await Promise.allSettled(steps)).map((each) => (each.status === 'rejected' ? each.reason : each.value))
const many = (step: () => Promise<unknown>, count: number) => Array.from({ length: count }, step)

describe('a database that is not to be had', () => {
  test.each([
    ['away', new StoreAway('none', cut)],
    ['busy', busy],
  ])('(%s) is waited for once for all who wait, and then again', async (_, error) => {
    const { step, begun, settled } = databaseThat(fails(error))
    const asked = many(step, 200)
    const before = settled()
    expect(new Set((await reasons(asked)).map(String))).toStrictEqual(new Set([String(error)]))
    await before
    expect(begun()).toBe(1)
    expect(await step()).toBe('written')
  })

  test('while it was asked for, later ones have come: they are tried', async () => {
    const { step, begun } = databaseThat(async () => {
      late = step()
      return Promise.reject(busy)
    })
    let late: Promise<unknown> | undefined
    expect(await reasons(many(step, 2))).toStrictEqual([busy, busy])
    expect([await late, begun()]).toStrictEqual(['written', 2])
  })

  test('the commit of one batch has an unknown end; of those that were never sent it is certain', async () => {
    const { step } = databaseThat(fails(new StoreAway('unknown', cut)))
    const effects = (await reasons(many(step, 66))).map((each) => (each as StoreAway).effect)
    expect([effects.filter((each) => each === 'unknown').length, effects.at(-1)]).toStrictEqual([64, 'none'])
  })

  test('while a batch falls apart, is asked for once more; what may have been written by then stays not known', async () => {
    const { step, begun } = databaseThat(
      async (take) => {
        // Behind a commit whose answer was lost, one of the steps cannot be written.
        await take(true)
        throw new Error('is gone')
      },
      fails(new StoreAway('none', cut)),
    )
    const effects = (await reasons(many(step, 3))).map((each) => (each as StoreAway).effect)
    expect([effects, begun()]).toStrictEqual([['unknown', 'unknown', 'unknown'], 2])
  })
})
