// Who runs when: only so many programs at once, each within its own time, and nothing goes on after the end.
import type { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { openSandbox } from '../../../server/sandbox/open-sandbox.ts'
import { eventually } from '../../eventually.ts'
import { ada, cacheFolder, openedForTest } from './opened.ts'

const eve = { tenant: 'acme', subject: 'eve' } as const
const endless = { language: 'javascript', code: 'for (;;);', timeoutMs: 1000, budget: 200_000_000_000 } as const

test('a program waits for its turn as long as it may run, and is then told that it has not run', async () => {
  const { sandbox, run } = openedForTest({ programsAtOnce: 1 })
  const first = run('javascript', endless.code, { budget: 500_000_000 })
  const late = sandbox.run(ada, { language: 'javascript', code: 'print(1)', timeoutMs: 10 })
  const patient = run('javascript', 'print(2)', { timeoutMs: 120_000 })
  expect(await late).toMatchObject({
    ok: false,
    failure: {
      code: 'too_many_running',
      message: expect.stringMatching(/1 programs at once.*of 10\. Nothing of it has run/),
    },
  })
  expect((await first).ended).toBe('out_of_fuel')
  expect((await patient).stdout).toBe('2\n')
})

test('whoever was served longest ago comes next, however many programs of another caller wait', async () => {
  const { sandbox } = openedForTest({ programsAtOnce: 1 })
  const order: string[] = []
  const ask = async (who: typeof ada | typeof eve): Promise<void> => {
    expect(await sandbox.run(who, { language: 'javascript', code: '1', timeoutMs: 120_000 })).toMatchObject({
      ok: true,
    })
    order.push(who.subject)
  }
  await Promise.all([ask(ada), ask(ada), ask(ada), ask(eve)])
  expect(order).toEqual(['ada', 'eve', 'ada', 'ada'])
})

test('a runtime that does not start in time is a refusal that says so, and not a program that crashed', async () => {
  const { sandbox } = openedForTest({ startTimeoutMs: 1 })
  const refused = await sandbox.run(ada, { language: 'javascript', code: '1' })
  expect(refused).toMatchObject({
    ok: false,
    failure: { code: 'runtime_not_started', message: expect.stringMatching(/within 0\.001 seconds.*Nothing has run/) },
  })
})

test('closing waits until every thread has ended, also those that get ready', async () => {
  const { sandbox } = openedForTest()
  const threads = new Set<Worker>()
  const seen = (worker: Worker): void => {
    threads.add(worker)
    worker.once('exit', () => threads.delete(worker))
  }
  process.on('worker', seen)
  await sandbox.run(ada, { language: 'javascript', code: '1' })
  const running = [sandbox.run(ada, endless), sandbox.run(eve, { language: 'python', code: '1' })]
  await eventually(() => expect(threads.size).toBeGreaterThan(1))
  await sandbox.close()
  process.off('worker', seen)
  expect(threads.size).toBe(0)
  await Promise.all(running)
})

test('one caller’s programs, however many, leave room and a turn for another’s', async () => {
  const { sandbox } = openedForTest({ sessionsPerOwner: 2, sessions: 4, programsAtOnce: 2 })
  const many = Array.from({ length: 4 }, () => sandbox.run(ada, endless))
  const other = await sandbox.run(eve, { language: 'javascript', code: 'print(1)', timeoutMs: 900 })
  expect(other).toMatchObject({ ok: true, value: { stdout: '1\n' } })
  const ended = (await Promise.all(many)).map((each) => (each.ok ? each.value.ended : each.failure.code))
  expect(ended.toSorted()).toEqual(['timeout', 'too_many_running', 'too_many_sessions', 'too_many_sessions'])
})

test('runs that wait in a session that is destroyed are told so at once', async () => {
  const { sandbox, session } = openedForTest({ programsAtOnce: 1 })
  const sessionId = await session('javascript')
  // Ended by the end of the test.
  const busy = sandbox.run(ada, { ...endless, timeoutMs: 120_000 })
  let isBusy = true
  void busy.then(() => (isBusy = false))
  const waiting = ['1', '2', '3'].map((code) =>
    sandbox.run(ada, { language: 'javascript', code, sessionId, timeoutMs: 120_000 }),
  )
  await sandbox.destroySession(ada, sessionId)
  const refused = { ok: false, failure: { code: 'no_such_session' } }
  expect(await Promise.all(waiting)).toMatchObject([refused, refused, refused])
  expect(isBusy).toBe(true)
})

test('a run that is cancelled while it waits for its turn is told so at once, and has not run', async () => {
  const { sandbox, session } = openedForTest({ programsAtOnce: 1 })
  const sessionId = await session('javascript')
  // Ended by the end of the test.
  let isBusy = true
  void sandbox.run(ada, { ...endless, sessionId, timeoutMs: 120_000 }).then(() => (isBusy = false))
  const cancel = new AbortController()
  const { signal } = cancel
  const waiting = sandbox.run(ada, { language: 'javascript', code: '1', timeoutMs: 120_000, signal })
  await new Promise((go) => setImmediate(go))
  cancel.abort()
  expect(await waiting).toMatchObject({ ok: false, failure: { code: 'cancelled' } })
  expect(isBusy).toBe(true)
})

test('nor has one that is cancelled while an earlier run of its session goes on, and the room that it took is free', async () => {
  const { sandbox, session } = openedForTest({ waitingPerSession: 1 })
  const sessionId = await session('javascript')
  // Ended by the end of the test.
  let isBusy = true
  void sandbox.run(ada, { ...endless, sessionId, timeoutMs: 120_000 }).then(() => (isBusy = false))
  for (const code of ['1', '2']) {
    const cancel = new AbortController()
    const waiting = sandbox.run(ada, { language: 'javascript', code, sessionId, signal: cancel.signal })
    cancel.abort()
    expect(await waiting).toMatchObject({ ok: false, failure: { code: 'cancelled' } })
  }
  expect(isBusy).toBe(true)
  expect(sandbox.listSessions(ada)).toMatchObject([{ runs: 0, busy: true }])
})

test('a program that ended while the server was busy has ended, though the server heard of it after its time', async () => {
  const { run, session } = openedForTest()
  const sessionId = await session('javascript')
  await run('javascript', '1', { sessionId })
  const ran = run('javascript', 'print(1)', { sessionId, timeoutMs: 200 })
  await new Promise((go) => setImmediate(go))
  // Nothing is heard meanwhile; the program itself goes on in its thread.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400)
  expect(await ran).toMatchObject({ ended: 'finished', stdout: '1\n', sessionReset: false })
})

test('a worker that did not boot in time is not kept for the next session', async () => {
  const { session } = openedForTest({ startTimeoutMs: 1 })
  const ended = new Promise((resolve) => {
    process.once('worker', (worker: Worker) => worker.once('exit', resolve))
  })
  await session('javascript')
  await ended
})

test.each([
  // The first cannot be copied into a thread, and with so little memory none boots.
  ['thread', { limits: { outputBytes: (() => 0) as never } }],
  ['instance', { limits: { memoryBytes: 65_536 } }],
  ['folder', { cacheFolder: 5 as never }],
])(
  'a runtime for which there is no %s is refused each time, the operator is told why, and the process goes on',
  async (_, options) => {
    const told: unknown[] = []
    const sandbox = openSandbox({ cacheFolder, ...options, report: (error) => told.push(error) })
    onTestFinished(() => sandbox.close())
    for (const _time of [1, 2])
      expect(await sandbox.run(ada, { language: 'javascript', code: '1' })).toMatchObject({
        ok: false,
        failure: { code: 'runtime_not_started' },
      })
    expect(told[0]).toBeInstanceOf(Error)
  },
)

test('a run that begins while the sandbox closes is not begun, and nobody is told of a session that was never named', async () => {
  const { sandbox } = openedForTest()
  const run = sandbox.run(ada, { language: 'javascript', code: 'for (;;) {}' })
  await sandbox.close()
  expect(await run).toMatchObject({ ok: false, failure: { code: 'closed' } })
})
