// How many verdicts a second the gate gives, over every combination of the facts that matter, and beside it the cheapest
// thing that a server does to a call anyway: parsing its arguments' JSON.
import { decide, type Facts } from '../../server/policy/decide.ts'
import { defaultProof } from '../../server/policy/proof.ts'
import { table } from './figures.ts'

const facts: readonly Facts[] = (['read', 'write', 'destructive'] as const).flatMap((operation) =>
  (['low', 'medium', 'high', 'critical', 'forbidden'] as const).flatMap((risk) =>
    (['preview', 'default', 'apply'] as const).flatMap((intent) =>
      (['none', 'plan', 'ticket', 'recorded'] as const).flatMap((proof) =>
        (['yes', 'no', 'unknown'] as const).map((cards): Facts => ({
          operation,
          risk,
          intent,
          proof,
          cards,
          required: defaultProof,
          autonomous: false,
          dryRunRequired: false,
          stepUp: false,
          people: false,
          approved: false,
          granted: false,
          autoApproveHigh: false,
          frozen: false,
          hostConfirms: false,
        })),
      ),
    ),
  ),
)

const json = JSON.stringify({ customer: 'ACME', lines: [{ sku: 'DESK-01', quantity: 2 }], rationale: 'By phone.' })
const rounds = 5
const each = 1_000_000

/** Runs `work` a million times and answers runs a second; the best of five rounds, for the machine is shared. */
function perSecond(work: (at: number) => unknown): number {
  let best = 0
  let kept: unknown
  for (let round = 0; round < rounds; round++) {
    const started = process.hrtime.bigint()
    for (let i = 0; i < each; i++) kept = work(i)
    best = Math.max(best, each / (Number(process.hrtime.bigint() - started) / 1e9))
  }
  if (kept === undefined) throw new Error('Nothing was measured.')
  return best
}

/** Prints decisions a second, and their ratio to parsing a small call. */
export async function gate(): Promise<void> {
  const parse = perSecond(() => JSON.parse(json) as unknown)
  const decided = perSecond((at) => decide(facts[at % facts.length] as Facts))
  const row = (name: string, rate: number): string[] => [
    name,
    `${Math.round(rate).toLocaleString('en')}/s`,
    `${(rate / parse).toFixed(2)}×`,
  ]
  console.log(
    `gate: ${facts.length} combinations of facts in turn, ${each.toLocaleString('en')} decisions, best of ${rounds}`,
  )
  console.log(
    table([['', 'a second', 'to JSON.parse'], row('JSON.parse of a small call', parse), row('decide', decided)]),
  )
  await Promise.resolve()
}
