// The gate's whole decision table, written so that a person can review it line by line. `*` is any value, `!` is not; every
// combination of facts is asked, and exactly one line may answer for it: the first that fits.
import { describe, expect, test } from 'vitest'
import { decide, type Facts, type Verdict } from '../../../server/policy/decide.ts'
import { defaultProof, proofBrought, proofSuffices, type Proof } from '../../../server/policy/proof.ts'
import type { Operation, Risk } from '../../../server/model/risk.ts'

const operations: readonly Operation[] = ['read', 'write', 'destructive']
const risks: readonly Risk[] = ['low', 'medium', 'high', 'critical', 'forbidden']
const intents: readonly Facts['intent'][] = ['preview', 'default', 'apply']
const proofs: readonly Proof[] = ['none', 'plan', 'ticket', 'recorded']
const cards: readonly Facts['cards'][] = ['yes', 'no', 'unknown']

const everything: readonly Facts[] = operations.flatMap((operation) =>
  risks.flatMap((risk) =>
    intents.flatMap((intent) =>
      proofs.flatMap((proof) =>
        cards.flatMap((card) =>
          Array.from({ length: 512 }, (_, bits): Facts => {
            const flag = (bit: number): boolean => (bits & (1 << bit)) !== 0
            return {
              operation,
              risk,
              intent,
              proof,
              cards: card,
              required: defaultProof,
              autonomous: flag(0),
              dryRunRequired: flag(1),
              stepUp: flag(2),
              approved: flag(3),
              autoApproveHigh: flag(4),
              frozen: flag(5),
              hostConfirms: flag(6),
              granted: flag(7),
              people: flag(8),
            }
          }),
        ),
      ),
    ),
  ),
)

const table = `
risk       | operation | intent  | proof           | cards       | and                     | verdict  rule
forbidden  | *         | *       | *               | *           |                         | deny     forbidden
*          | read      | *       | *               | *           |                         | allow    read
*          | *         | *       | *               | *           | frozen                  | deny     frozen
*          | *         | preview | *               | *           |                         | preview  asked
*          | *         | *       | *               | *           | approved                | allow    approved
*          | *         | default | *               | yes,unknown | stepUp                  | preview  step-up
*          | *         | *       | *               | *           | stepUp                  | approve  step-up
!critical  | *         | default | *               | *           | people granted          | preview  granted
!critical  | *         | apply   | none            | *           | people granted dryRun   | preview  granted
!critical  | *         | apply   | *               | *           | people granted          | allow    grant
*          | *         | default | *               | yes,unknown | people                  | preview  people
*          | *         | *       | *               | *           | people                  | approve  people
!critical  | *         | *       | none            | *           | hostConfirms !dryRun    | allow    host-confirms
!critical  | *         | *       | !none           | *           | hostConfirms            | allow    host-confirms
high       | *         | default | *               | *           | autoApproveHigh         | preview  default
high       | *         | apply   | none            | *           | autoApproveHigh dryRun  | preview  dry-run-required
high       | *         | apply   | ticket,recorded | *           | autoApproveHigh         | allow    proof
high       | *         | apply   | *               | *           | autoApproveHigh         | allow    auto-approve-high
medium     | *         | default | *               | *           | granted !autonomous     | preview  granted
high       | *         | default | *               | *           | granted                 | preview  granted
high       | *         | default | *               | no          |                         | approve  no-card
critical   | *         | default | *               | no          |                         | approve  no-card
*          | *         | default | *               | *           |                         | preview  default
medium     | *         | apply   | none            | *           | granted dryRun !autonomous | preview granted
medium     | *         | apply   | none,plan       | *           | granted !autonomous     | allow    grant
high       | *         | apply   | none            | *           | granted dryRun          | preview  granted
high       | *         | apply   | none,plan       | *           | granted                 | allow    grant
high       | *         | apply   | none            | no          |                         | approve  no-card
critical   | *         | apply   | none            | no          |                         | approve  no-card
*          | *         | apply   | none            | *           | dryRun                  | preview  dry-run-required
low        | *         | apply   | none            | *           |                         | allow    low-risk
medium     | *         | apply   | none            | *           | autonomous              | allow    autonomous
*          | *         | apply   | none            | *           |                         | preview  no-ticket
low        | *         | apply   | *               | *           |                         | allow    proof
medium     | *         | apply   | *               | *           |                         | allow    proof
high       | *         | apply   | ticket,recorded | *           |                         | allow    proof
critical   | *         | apply   | recorded        | *           |                         | allow    proof
*          | *         | apply   | *               | *           |                         | approve  proof-missing
`

const flags = {
  approved: 'approved',
  stepUp: 'stepUp',
  people: 'people',
  frozen: 'frozen',
  autonomous: 'autonomous',
  dryRun: 'dryRunRequired',
  autoApproveHigh: 'autoApproveHigh',
  hostConfirms: 'hostConfirms',
  granted: 'granted',
} as const

interface Line {
  readonly text: string
  fits(facts: Facts): boolean
  readonly kind: string
  readonly rule: string
}

const lines: readonly Line[] = table
  .trim()
  .split('\n')
  .slice(1)
  .map((text) => {
    const [risk = '', operation = '', intent = '', proof = '', card = '', and = '', verdict = ''] = text
      .split('|')
      .map((cell) => cell.trim())
    const fits = (cell: string, value: string): boolean =>
      cell === '*' || (cell.startsWith('!') ? value !== cell.slice(1) : cell.split(',').includes(value))
    const [kind = '', rule = ''] = verdict.split(/ +/)
    return {
      text,
      kind,
      rule,
      fits: (facts) =>
        fits(risk, facts.risk) &&
        fits(operation, facts.operation) &&
        fits(intent, facts.intent) &&
        fits(proof, facts.proof) &&
        fits(card, facts.cards) &&
        and
          .split(' ')
          .filter((name) => name !== '')
          .every((name) => facts[flags[name.replace('!', '') as keyof typeof flags]] !== name.startsWith('!')),
    }
  })

/** Which facts each line answers for. */
const answered = Map.groupBy(everything, (facts) => lines.find((line) => line.fits(facts)))

describe('the decision table', () => {
  test.each(lines.map((line) => ({ line, name: line.text.replaceAll(/ +/g, ' ') })))('$name', ({ line }) => {
    const asked = answered.get(line) ?? []
    const wrong = asked.filter((facts) => summary(decide(facts)) !== `${line.kind} ${line.rule}`)
    expect(wrong.slice(0, 5).map((facts) => ({ facts, verdict: decide(facts) }))).toStrictEqual([])
    // A line that answers for nothing is a line that a reader believes in vain.
    expect(asked.length).toBeGreaterThan(0)
  })

  test('answers for every combination of facts', () => {
    expect(everything).toHaveLength(3 * 5 * 3 * 4 * 3 * 512)
    expect(answered.get(undefined)).toBeUndefined()
  })
})

const summary = (verdict: Verdict): string => `${verdict.kind} ${verdict.rule}`

const writes = everything.filter(({ operation }) => operation !== 'read')
const allowed = (facts: Facts): boolean => decide(facts).kind === 'allow'

describe('what no line of the table may ever break', () => {
  test('what is forbidden is denied, whatever else is true', () => {
    expect(everything.filter(({ risk }) => risk === 'forbidden').every((facts) => decide(facts).kind === 'deny')).toBe(
      true,
    )
  })

  test('a critical write runs only with a recorded click or an approval', () => {
    const critical = writes.filter(({ risk }) => risk === 'critical').filter(allowed)
    expect(critical.length).toBeGreaterThan(0)
    expect(critical.every(({ proof, approved }) => proof === 'recorded' || approved)).toBe(true)
  })

  test('a high write runs only with a ticket, an approval, a grant, or because the operator said so', () => {
    const high = writes.filter(({ risk }) => risk === 'high').filter(allowed)
    expect(
      high.every(
        ({ proof, approved, autoApproveHigh, hostConfirms, granted }) =>
          proofSuffices(proof, 'ticket') || approved || autoApproveHigh || hostConfirms || granted,
      ),
    ).toBe(true)
  })

  test('a grant changes nothing for critical calls, step-ups, freezes, previews that were asked for, and reads', () => {
    const never = everything.filter(
      ({ risk, stepUp, frozen, intent, operation }) =>
        risk === 'critical' || risk === 'forbidden' || stepUp || frozen || intent === 'preview' || operation === 'read',
    )
    const said = (facts: Facts): string => JSON.stringify(decide(facts))
    expect(
      never.filter((facts) => said({ ...facts, granted: true }) !== said({ ...facts, granted: false })),
    ).toStrictEqual([])
  })

  test('a grant takes nothing away, and no use of it where the call runs by itself or is confirmed', () => {
    const lost = everything.filter(
      (facts) => allowed({ ...facts, granted: false }) && !allowed({ ...facts, granted: true }),
    )
    expect(lost).toStrictEqual([])
    const used = everything.filter(
      (facts) => allowed({ ...facts, granted: false }) && decide({ ...facts, granted: true }).rule === 'grant',
    )
    expect(new Set(used.map(({ proof }) => proof))).toStrictEqual(new Set(['plan']))
    expect(used.filter(({ people }) => people)).toStrictEqual([])
  })

  test('what must be previewed is previewed, under a grant too', () => {
    const unseen = writes.filter(
      ({ dryRunRequired, proof, approved }) => dryRunRequired && proof === 'none' && !approved,
    )
    expect(unseen.some(allowed)).toBe(false)
  })

  test('only low risk, autonomous contracts and what an operator has settled beforehand run without any plan', () => {
    const bare = writes.filter((facts) => facts.proof === 'none' && !facts.approved && allowed(facts))
    expect(
      bare.every(
        ({ risk, autonomous, autoApproveHigh, dryRunRequired, hostConfirms, granted }) =>
          !dryRunRequired &&
          ((granted && risk !== 'critical') ||
            (hostConfirms && risk !== 'critical') ||
            risk === 'low' ||
            (risk === 'medium' && autonomous) ||
            (risk === 'high' && autoApproveHigh)),
      ),
    ).toBe(true)
  })

  test('what takes several people, or somebody else, is done by an approval or under a grant, and by nothing else', () => {
    const done = writes.filter((facts) => facts.people && allowed(facts))
    expect(done.length).toBeGreaterThan(0)
    expect(done.filter(({ approved, granted, risk }) => !approved && !(granted && risk !== 'critical'))).toStrictEqual(
      [],
    )
  })

  test('a step-up is never done by a card', () => {
    const stepped = writes.filter((facts) => facts.stepUp && !facts.approved && facts.risk !== 'forbidden')
    expect(stepped.some(allowed)).toBe(false)
  })

  test('nothing is applied that only asked to see, and nothing while all applies are stopped', () => {
    expect(writes.filter(({ intent }) => intent === 'preview').some(allowed)).toBe(false)
    expect(writes.filter(({ frozen }) => frozen).some(allowed)).toBe(false)
  })

  test('a stronger proof never turns allow into anything less', () => {
    const less = writes
      .filter(({ intent }) => intent === 'apply')
      .filter(allowed)
      .flatMap((facts) => proofs.slice(proofs.indexOf(facts.proof)).map((proof) => ({ ...facts, proof })))
      .filter((facts) => !allowed(facts))
    expect(less).toStrictEqual([])
  })

  test('a higher risk never makes a write easier', () => {
    const easier = writes
      .filter((facts) => !facts.autoApproveHigh && !allowed(facts))
      .flatMap((facts) => risks.slice(risks.indexOf(facts.risk)).map((risk) => ({ ...facts, risk })))
      .filter(allowed)
    expect(easier).toStrictEqual([])
  })

  test('a write and a destructive call are judged alike: the risk decides, not the word', () => {
    const said = (facts: Facts): string => JSON.stringify(decide(facts))
    const judged = writes.filter(
      (facts) => said({ ...facts, operation: 'destructive' }) !== said({ ...facts, operation: 'write' }),
    )
    expect(judged).toStrictEqual([])
  })

  test('what is asked for and what was brought are said where a person must decide', () => {
    const unsaid = writes.filter((facts) => {
      const verdict = decide(facts)
      if (verdict.kind !== 'approve' || facts.risk === 'forbidden') return false
      return verdict.needed !== defaultProof[facts.risk] || verdict.brought !== facts.proof
    })
    expect(unsaid).toStrictEqual([])
  })

  test('an operator who asks for more gets more', () => {
    const strict = { low: 'recorded', medium: 'recorded', high: 'recorded', critical: 'recorded' } as const
    const facts = writes.filter(
      (one) =>
        one.intent === 'apply' &&
        one.proof === 'ticket' &&
        !one.approved &&
        !one.autoApproveHigh &&
        !one.hostConfirms &&
        !one.granted,
    )
    expect(facts.filter((one) => allowed({ ...one, required: strict }))).toStrictEqual([])
  })
})

describe('which proof a call brings', () => {
  test.each([
    ['none', undefined, 'none'],
    ['plan', undefined, 'plan'],
    ['plan', { trusted: true }, 'plan'],
    ['ticket', undefined, 'ticket'],
    ['ticket', { trusted: false }, 'ticket'],
    ['ticket', { trusted: true }, 'recorded'],
  ] as const)('%s with the click %j brings %s', (credential, click, proof) => {
    expect(proofBrought(credential, click)).toBe(proof)
  })

  test('the ladder is in order: each proof serves for itself and for all below', () => {
    for (const [i, brought] of proofs.entries())
      for (const [j, needed] of proofs.entries()) expect(proofSuffices(brought, needed)).toBe(i >= j)
  })

  test('the defaults of docs/DESIGN.md, section 2', () => {
    expect(defaultProof).toStrictEqual({ low: 'none', medium: 'plan', high: 'ticket', critical: 'recorded' })
  })
})
