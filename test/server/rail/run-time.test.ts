// A run has its time, in which the answers of a person do not count who is asked something in the middle of it.
import { afterEach, describe, expect, test, vi } from 'vitest'
import { inRunTime, runTime, startRunTime } from '../../../server/model/run-time.ts'
import { countQuestions } from '../../../server/gateway/upstream/connection/wire/wire.ts'
import { confirmed, openBook } from './rail-fixture.ts'

const runTimeoutMs = 50
const settings = { runTimeoutMs }
/** Three times as long as a run may take. */
const thinking = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 3 * runTimeoutMs))

describe('a run that takes longer than it may', () => {
  test.each([
    ['is over, where its tool works', 'outcome_unknown', () => thinking()],
    [
      'goes on, where a person thinks',
      'applied',
      async () => {
        const questions = countQuestions()
        const time = runTime()
        const goOn = time && questions.stopsTime(time)
        await questions.during(thinking)
        goOn?.()
      },
    ],
  ])('%s', async (_, outcome, work) => {
    const { stage } = await openBook(
      {
        run: async ({ text }) => {
          await work()
          return { id: 'N-1', text }
        },
      },
      { settings },
    )
    const preview = await stage.ask('notes_write', { text: 'x' })
    expect(await stage.repeat(confirmed(preview))).toMatchObject({ outcome })
  })
})

describe('the time of a run', () => {
  afterEach(() => void vi.useRealTimers())

  const begun = () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const time = startRunTime(1000)
    const said: string[] = []
    void time.over.then(() => said.push('over'))
    return { time, said, pass: (ms: number) => vi.advanceTimersByTimeAsync(ms) }
  }

  test('goes on where it stood, when nobody is asked any more', async () => {
    const { time, said, pass } = begun()
    await pass(900)
    const [one, other] = [time.hold(), time.hold()]
    await pass(5000)
    one()
    one()
    await pass(5000)
    expect(said).toEqual([])
    other()
    await pass(99)
    expect(said).toEqual([])
    await pass(1)
    expect(said).toEqual(['over'])
  })

  test('is not over any more once the run has ended, whoever is still asked', async () => {
    const { time, said, pass } = begun()
    const goOn = time.hold()
    time.end()
    goOn()
    await pass(5000)
    expect(said).toEqual([])
  })

  test('stands still while any question is open that came after its call, and for no older one', async () => {
    const { time, said, pass } = begun()
    const questions = countQuestions()
    const [older, newer, last] = [1, 2, 3].map(() => Promise.withResolvers<void>())
    void questions.during(async () => older?.promise)
    const goOn = questions.stopsTime(time)
    await pass(900)
    const answers = [questions.during(async () => newer?.promise), questions.during(async () => last?.promise)]
    await pass(5000)
    newer?.resolve()
    await answers[0]
    await pass(5000)
    expect(said).toEqual([])
    last?.resolve()
    await answers[1]
    await pass(100)
    expect(said).toEqual(['over'])
    goOn()
  })

  test('goes on when its call has ended, whatever is still open', async () => {
    const { time, said, pass } = begun()
    const questions = countQuestions()
    const goOn = questions.stopsTime(time)
    void questions.during(() => new Promise(() => undefined))
    await pass(5000)
    expect(said).toEqual([])
    goOn()
    await pass(1000)
    expect(said).toEqual(['over'])
  })

  test('is over after an hour of questions altogether', async () => {
    const { time, said, pass } = begun()
    for (let minutes = 0; minutes < 60; minutes += 20) {
      expect(said).toEqual([])
      const goOn = time.hold()
      await pass(20 * 60_000)
      goOn()
    }
    time.hold()
    await pass(0)
    expect(said).toEqual(['over'])
    expect(await time.over).toBe('questions')
  })

  test('stands still around a step that stands still', async () => {
    const { time, said, pass } = begun()
    const step = inRunTime(time, () => startRunTime(500))
    const goOn = step.hold()
    await pass(5000)
    expect(said).toEqual([])
    goOn()
    step.end()
    await pass(1000)
    expect(said).toEqual(['over'])
  })
})
