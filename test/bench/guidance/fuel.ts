// Whoever follows what the analysis of fuel recommends must not run out again. Each program is given a budget that it nearly
// uses up and one that it exhausts, in a session that knows it; with the least that the answer recommends it runs again, in
// that session and in a fresh place, which has none of what the session had ready.
import { explainRun } from '../../../server/sandbox/outcome/explain-run.ts'
import { surroundingsOf, type Language } from '../../../server/sandbox/outcome/facts.ts'
import { openSandbox } from '../../../server/sandbox/open-sandbox.ts'
import type { RunResult, Sandbox } from '../../../server/sandbox/sandbox.ts'
import { table } from '../figures.ts'
import { withFolder } from '../processes.ts'
import { javascriptSpenders } from './fuel-javascript.ts'
import { pythonSpenders } from './fuel-python.ts'

/** A program that can be run again in the same session. */
export interface Spender {
  readonly code: string
  /** Programs of its session before it, which it does not need. */
  readonly before: readonly string[]
}

interface Followed {
  readonly advised: 'nearly used up' | 'exhausted'
  readonly where: 'same session' | 'fresh'
  readonly ranOut: boolean
}

const owner = { tenant: 'bench', subject: 'bench' }

/** The least budget that an answer recommends, as a reader finds it: the first figure that is written out. */
const leastOf = (recommendation: string): number => Number(/`budget`[^:]*: (\d+)/.exec(recommendation)?.[1])

async function follow(sandbox: Sandbox, language: Language, { code, before }: Spender): Promise<readonly Followed[]> {
  const { largestBudget } = sandbox.runtimes()[0]?.limits ?? { largestBudget: 0 }
  const known = surroundingsOf({ largestBudget }, sandbox.packages())
  const run = async (asked: string, sessionId?: string, budget = largestBudget): Promise<RunResult> => {
    const ran = await sandbox.run(owner, { language, code: asked, sessionId, budget, timeoutMs: 120_000 })
    if (!ran.ok) throw new Error(ran.failure.message)
    return ran.value
  }
  const created = await sandbox.createSession(owner, { language })
  if (!created.ok) throw new Error(created.failure.message)
  const { sessionId } = created.value
  for (const earlier of [...before, code]) await run(earlier, sessionId)
  const { ended, stderr, fuel } = await run(code, sessionId)
  if (ended !== 'finished') throw new Error(`This program should run, and is ${ended}:\n${code}\n${stderr}`)
  const followed: Followed[] = []
  for (const [advised, share] of [
    ['nearly used up', 1.1],
    ['exhausted', 0.5],
  ] as const) {
    const facts = await run(code, sessionId, Math.floor(fuel.consumed * share))
    const least = leastOf(explainRun(facts, { language, code }, known).fuel.recommendation)
    if (Number.isNaN(least)) throw new Error(`No budget is recommended for this program:\n${code}`)
    for (const [where, session] of [
      ['same session', sessionId],
      ['fresh', undefined],
    ] as const)
      followed.push({ advised, where, ranOut: (await run(code, session, least)).ended === 'out_of_fuel' })
  }
  await sandbox.destroySession(owner, sessionId)
  return followed
}

/** Prints how often a program ran out again with the budget that was recommended. */
export async function fuelAdvice(): Promise<void> {
  await withFolder(async (cacheFolder) => {
    const sandbox = openSandbox({ cacheFolder })
    const rows: (readonly string[])[] = [['', 'programs', 'followed', 'ran out again']]
    for (const [language, spenders] of [
      ['python', pythonSpenders],
      ['javascript', javascriptSpenders],
    ] as const) {
      if (sandbox.runtimes().find((one) => one.language === language)?.available !== true) {
        rows.push([`${language}: not measured, its runtime is not installed`, '', '', ''])
        continue
      }
      const followed: Followed[] = []
      for (const spender of spenders) followed.push(...(await follow(sandbox, language, spender)))
      for (const advised of ['nearly used up', 'exhausted'] as const)
        for (const where of ['same session', 'fresh'] as const) {
          const some = followed.filter((one) => one.advised === advised && one.where === where)
          const out = some.filter(({ ranOut }) => ranOut).length
          rows.push([
            `${language}, ${advised}, then ${where}`,
            String(spenders.length),
            String(some.length),
            String(out),
          ])
        }
    }
    await sandbox.close()
    console.log(`\nguidance: the least budget that is recommended\n${table(rows)}`)
  })
}
