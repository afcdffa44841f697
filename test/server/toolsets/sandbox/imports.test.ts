// What an import costs, as an agent meets it: said once with what it used, and not paid again in the session.
import { expect, test } from 'vitest'
import { packageTable } from '../../../../server/sandbox/packages/packages.ts'
import { casesOf } from '../../../full.ts'
import { openLab, ran } from './lab.ts'

const imported = async (ask: Awaited<ReturnType<typeof openLab>>): Promise<readonly string[] | undefined> =>
  ((await ask('list_sessions', {})).result as { sessions: { imported: string[] }[] }).sessions[0]?.imported

test.each(casesOf(['openpyxl', 'tabulate'], (name) => name, ['tabulate']))(
  'the first import of %s in a session is said with what it used, and the next call does not pay it',
  async (name) => {
    const ask = await openLab()
    const begun = (await ask('create_session', { language: 'python' })).result as { session_id: string }
    const run = async () =>
      ran(await ask('execute_code', { language: 'python', session_id: begun.session_id, code: `import ${name}` }))
    const first = await run()
    expect(first.metadata.fuel_analysis?.likely_causes).toEqual([
      expect.stringMatching(
        new RegExp(
          `^The first import of ${name} took [\\d.]+ (?:million|billion) of it; the next call of this session does not`,
        ),
      ),
    ])
    expect(await imported(ask)).toEqual([name])
    const next = await run()
    expect(next.metadata.fuel_analysis?.likely_causes).toEqual([])
    const listed = packageTable().find((row) => row.name === name)
    expect(first.fuel.consumed).toBeGreaterThan(listed?.firstImport.fuel ?? Infinity)
    expect(next.fuel.consumed).toBeLessThan((listed?.firstImport.fuel ?? 0) / 100)
  },
)

test('an import that the budget ended is named, and one of what does not exist is no import of the session', async () => {
  const ask = await openLab()
  const begun = (await ask('create_session', { language: 'python' })).result as { session_id: string }
  const run = async (code: string, budget?: number) =>
    ran(await ask('execute_code', { language: 'python', session_id: begun.session_id, code, budget }))
  const missed = await run('try:\n    import no_such_module\nexcept ImportError as error:\n    print(error)')
  expect(missed.stdout).toBe("No module named 'no_such_module'\n")
  expect(await imported(ask)).toEqual([])
  await run('import sys')
  expect(await imported(ask)).toEqual(['sys'])
  const ended = await run('import tabulate', 50_000_000)
  expect(ended.ended).toBe('out_of_fuel')
  expect(ended.metadata.fuel_analysis?.likely_causes).toEqual([
    expect.stringMatching(/^The first import of tabulate took 49\.\d million of it; the session has begun anew/),
  ])
  expect(await imported(ask)).toEqual([])
})
