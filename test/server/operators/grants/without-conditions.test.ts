// Conditions of grants are read by a package that may not be installed.
import { expect, test } from 'vitest'
import { printedWithout } from '../../../kit/without-packages.ts'

const at = (path: string): string => JSON.stringify(new URL(`../../../../${path}`, import.meta.url).href)

const program = `
  const { openStore } = await import(${at('server/store/store.ts')})
  const { deskOn } = await import(${at('test/server/operators/grants/serve-grants.ts')})
  const { checkTerms } = await import(${at('server/operators/give-grant.ts')})
  const store = (await openStore({ file: ':memory:' })).value
  const desk = await deskOn(store)
  await desk.give()
  const warnings = []
  desk.engine.log = { warn: (message) => void warnings.push(message) }
  await desk.ask({ customer: 'ACME', total: 90, preview: false })
  const { outcome, verdict } = await desk.ask({ customer: 'ACME', total: 100, preview: false })
  const parts = { ...desk.engine, rules: [], riskOf: () => 'high' }
  const person = { name: 'grace', roles: [{ kind: 'admin' }], subjects: [] }
  const terms = { tenant: desk.tenant, subject: undefined, tool: 'invoices_send', condition: 'true', times: 3, per: 'total', until: Date.now() + 60_000 }
  const given = await checkTerms(parts, person, terms)
  console.log(JSON.stringify({ outcome, verdict, warnings, given }))
  await store.close()
`

test('without it a grant covers nothing, none is given, and both are told what to install, the operator once', async () => {
  expect(await printedWithout('@marcbachmann/', program)).toMatchObject({
    outcome: 'previewed',
    verdict: 'preview:no-ticket',
    warnings: [expect.stringContaining('Grants cover nothing. The package @marcbachmann/cel-js, which the condition')],
    given: { kind: 'refused', refusal: { next: 'Run `npm install @marcbachmann/cel-js@8` beside Countersign.' } },
  })
})
