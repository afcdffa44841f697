// What programs use depends on nothing but themselves: not on whether a worker waited booted for them, and not on the process.
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'
import type { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import type { PlanStore } from '../../../server/model/plan-store.ts'
import { call } from '../../../server/rail/call.ts'
import type { Sandbox } from '../../../server/sandbox/sandbox.ts'
import { requestOf } from '../../kit/calls.ts'
import { openServer } from '../toolsets/sandbox/lab.ts'
import { cacheFolder, openedForTest } from './opened.ts'

type Used = readonly { readonly fuel: number; readonly imports: unknown }[]

/** The same programs, one after the other, in a session of another process. */
async function usedElsewhere(language: string, programs: readonly string[]): Promise<Used> {
  const sandbox = new URL('../../../server/sandbox/open-sandbox.ts', import.meta.url).href
  const script = `
    import { openSandbox } from ${JSON.stringify(sandbox)}
    const owner = { tenant: 'other', subject: 'eve' }
    const [language, programs] = ${JSON.stringify([language, programs])}
    const sandbox = openSandbox({ cacheFolder: ${JSON.stringify(cacheFolder)} })
    const { value } = await sandbox.createSession(owner, { language })
    const all = []
    for (const code of programs) {
      const ran = await sandbox.run(owner, { language, code, sessionId: value.sessionId })
      all.push({ fuel: ran.value.fuel.consumed, imports: ran.value.imports })
    }
    console.log(JSON.stringify(all))
    await sandbox.close()`
  const { stdout } = await promisify(execFile)(process.execPath, ['--no-warnings', '--input-type=module', '-e', script])
  return JSON.parse(stdout) as Used
}

test.each([
  ['javascript', ['1 + 1', 'nothing.here', '1 + 1', 'nothing.here', 'print(Math.random(), Date.now())']],
  ['python', ['1 + 1', '1 / 0', '1 + 1', '1 / 0', 'def f(', 'import ast, random; print(random.random(), id(ast))']],
] as const)(
  '%s uses the same fuel whether its worker waited or not and in another process, and the first programs of a session not much more than the next',
  async (language, programs) => {
    const { run, session } = openedForTest()
    const used = async (): Promise<Used> => {
      const sessionId = await session(language)
      const all: { readonly fuel: number; readonly imports: unknown }[] = []
      for (const code of programs) {
        const { fuel, imports } = await run(language, code, { sessionId })
        all.push({ fuel: fuel.consumed, imports })
      }
      return all
    }
    // For the first session a worker gets ready when it is created; for the second one waits.
    const started = await used()
    expect(await used()).toStrictEqual(started)
    expect(await usedElsewhere(language, programs)).toStrictEqual(started)
    for (const at of [0, 1]) expect(started[at]?.fuel).toBeLessThan(2 * (started[at + 2]?.fuel ?? 0))
  },
)

/** The thread that starts before there is a program. */
async function expecting(sandbox: Sandbox): Promise<{ readonly ended: Promise<unknown> }> {
  sandbox.expectPrograms()
  const [thread] = (await once(process, 'worker')) as [Worker]
  return { ended: once(thread, 'exit') }
}

test('where programs are expected, the first of JavaScript runs in a thread that has started, and uses the fuel that it uses anywhere', async () => {
  const elsewhere = openedForTest()
  const { fuel } = await elsewhere.run('javascript', 'print(1)')
  await elsewhere.sandbox.close()
  const { sandbox, run } = openedForTest()
  const thread = await expecting(sandbox)
  expect(await run('javascript', 'print(1)')).toMatchObject({ stdout: '1\n', fuel })
  // A thread ends with the program that it was for.
  await thread.ended
})

test('a thread that no program came to ends with its sandbox', async () => {
  const { sandbox } = openedForTest()
  const thread = await expecting(sandbox)
  await sandbox.close()
  await thread.ended
})

test('a server with the sandbox expects programs once it has started', async () => {
  const started = once(process, 'worker')
  await openServer()
  await started
})

test('the thread of a first program starts before its call is written down', async () => {
  const { engine } = await openServer({ descriptions: 'minimal' })
  const order: string[] = []
  process.once('worker', () => order.push('thread'))
  const plans: PlanStore = {
    ...engine.plans,
    open: async (draft) => {
      // Node tells of a thread a moment after it has started it.
      await new Promise((resume) => setImmediate(resume))
      order.push('plan')
      return engine.plans.open(draft)
    },
  }
  const program = { language: 'javascript', code: 'print(1)', rationale: 'The person wants a one.' }
  expect(await call({ ...engine, plans }, requestOf('execute_code', program))).toMatchObject({
    outcome: 'applied',
    result: { stdout: '1\n' },
  })
  expect(order).toEqual(['thread', 'plan'])
})
