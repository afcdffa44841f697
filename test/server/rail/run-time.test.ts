// A run has its time, in which the answers of a person do not count who is asked something in the middle of it.
import { afterEach, describe, expect, test, vi } from 'vitest'
import { runTime, startRunTime } from '../../../server/model/run-time.ts'
import { countQuestions } from '../../../server/gateway/upstream/connection/wire.ts'
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

  test('stands still for a call that comes while its server asks, and while any of its questions is open', async () => {
    const { time, said, pass } = begun()
    const questions = countQuestions()
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const answers = [questions.during(() => first.promise), questions.during(() => second.promise)]
    const goOn = questions.stopsTime(time)
    first.resolve()
    await answers[0]
    await pass(5000)
    expect(said).toEqual([])
    second.resolve()
    await answers[1]
    await pass(1000)
    expect(said).toEqual(['over'])
    goOn()
  })
})
