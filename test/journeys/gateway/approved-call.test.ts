// One call, one effect: a call that waits for an approval, made again at a terminal, whatever is decided and done elsewhere
// meanwhile.
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openStore, type Store } from '../../../server/store/store.ts'
import { casesOf } from '../../full.ts'
import { freshDatabase } from '../at-end.ts'
import { ledgerOf } from './ledger.ts'
import { actingServer, gatewayFile, realPlace, type Entry } from './reach.ts'
import { runToEnd } from '../processes.ts'
import { atTerminal, runCommand } from '../terminal.ts'

async function atStore<T>(file: string, work: (store: Store) => Promise<T>): Promise<T> {
  const opened = await openStore({ file })
  if (!opened.ok) throw new Error(opened.failure.message)
  try {
    return await work(opened.value)
  } finally {
    await opened.value.close()
  }
}

/** The caller asks for the same call once more at another door, after it was approved; answers the new approval. */
const askedAgain = (file: string, id: string): Promise<string> =>
  atStore(file, async ({ approvals, plans }) => {
    const approval = await approvals.find(id)
    const plan = approval && (await plans.find({ by: 'id', id: approval.planId }))
    if (approval === undefined || plan === undefined) throw new Error(`There is no approval ${id}.`)
    const planId = 'pl_0000000000000002'
    await plans.open({ ...plan, id: planId, ticketHash: 'of another ticket', ttlMs: 60_000 })
    const asked = await approvals.request({ ...approval, id: 'ap_0000000000000002', planId, ttlMs: 60_000 })
    expect(asked.existing).toBe(false)
    return asked.approval.id
  })

/** A payment that is critical; how often it was made is in the ledger. */
function payment(more: Entry = {}) {
  const [db, ledger] = [freshDatabase(), join(realPlace(), 'ledger')]
  const config = gatewayFile({ it: actingServer(ledger, { tools: { process_payment: { risk: 'critical' } } }) }, more)
  const args = ['--tool-name=it:process_payment', '--json_args={"invoice":"7"}', '--config', config, '--db', db]
  const line = ['call', 'tool-destructive', ...args]
  const asked = async () => {
    const { code, stderr } = await runCommand([...line, '--yes'])
    expect(code).toBe(2)
    return /--ticket (ap_[0-9a-z]{16})/.exec(stderr)?.[1] ?? ''
  }
  /** Answers the question, once `meanwhile` is over, which happens while it stands there. */
  const answered = (
    said: string,
    meanwhile: () => Promise<void> = () => Promise.resolve(),
    ...options: readonly string[]
  ) => atTerminal([...line, ...options], [['Run process_payment? [y/N] ', () => meanwhile().then(() => said)]])
  const approve = (id: string, ...typed: readonly string[]) =>
    atTerminal(
      ['approvals', 'approve', id, '--db', db],
      typed.map((word) => [`Type ${word} to let it happen: `, word]),
    )
  /** Somebody with an account approves it at another door; answers what that came to. */
  const approveElsewhere = (id: string, name = 'Eve') =>
    atStore(db, async ({ approvals, operators }) => {
      // No password, which would take its time to hash.
      const known = { issuer: 'https://id.example', subject: name, name, tenant: undefined, roles: [] }
      const found = await operators.accounts.fromProvider(known)
      if (found.kind !== 'account') throw new Error(`${name} has no account.`)
      const by = { name, person: found.account.id, via: 'session' } as const
      return (await approvals.decide(id, { decision: 'approved', by })).kind
    })
  /** Another process finishes it. */
  const finishElsewhere = async (id: string) => {
    const { code, stderr } = await runToEnd([...line, '--ticket', id])
    expect([code, stderr]).toStrictEqual([0, expect.anything()])
  }
  return {
    line,
    db,
    asked,
    answered,
    approve,
    approveElsewhere,
    finishElsewhere,
    paid: () => ledgerOf(ledger).length,
  }
}

/** Each answer of a person has its place in which it is asked for in every run; in full runs both are, everywhere. */
const saying = <Row extends readonly [said: string, ...rest: unknown[]]>(said: string, rows: readonly Row[]) =>
  casesOf(rows, ([one]) => one, [said])

describe('a call that waits for an approval, made again at a terminal', () => {
  test.each(
    saying('no', [
      ['yes', 0, 1],
      ['no', 2, 0],
    ]),
  )('an answer of %s ends the approval, and nobody can approve it any more', async (said, code, times) => {
    const { asked, answered, approve, paid } = payment()
    const id = await asked()
    expect((await answered(said)).code).toBe(code)
    expect(paid()).toBe(times)
    expect((await approve(id)).code).not.toBe(0)
    // What was asked anew is another approval; nothing runs by the old one.
    expect(await asked()).not.toBe(id)
    expect(paid()).toBe(times)
  })

  test('once it has run, a script has its outcome and hears that nothing ran now; a person is asked again', async () => {
    const { line, asked, answered, approve, paid } = payment()
    const id = await asked()
    await approve(id, 'process_payment')
    expect(await runCommand(line)).toMatchObject({ code: 0 })
    expect(paid()).toBe(1)

    const ran = new RegExp(`approved \\(${id}\\) and was already run at \\d{4}-\\S+Z\\. Nothing has run now`)
    expect(await runCommand(line)).toMatchObject({ code: 0, stderr: expect.stringMatching(ran) })
    expect(await answered('no')).toMatchObject({ code: 2, stderr: expect.stringMatching(ran) })
    expect(paid()).toBe(1)
    expect(await answered('yes')).toMatchObject({ code: 0, stderr: expect.stringMatching(ran) })
    expect(paid()).toBe(2)
  })
})

describe('an approval that is decided while the question stands at the terminal', () => {
  test.each(
    saying('yes', [
      ['yes', 0],
      ['no', 0],
    ]),
  )('and has been run elsewhere: an answer of %s pays nothing more, and says that it was run', async (said, code) => {
    const { asked, answered, approveElsewhere, finishElsewhere, paid } = payment()
    const id = await asked()
    const ended = await answered(said, async () => {
      expect(await approveElsewhere(id)).toBe('decided')
      await finishElsewhere(id)
    })
    expect(paid()).toBe(1)
    expect(ended).toMatchObject({
      code,
      stderr: expect.stringMatching(new RegExp(`approved \\(${id}\\) and was already run at .*Nothing has run now`)),
    })
  })

  test.each(
    saying('yes', [
      ['yes', 0, 1],
      ['no', 2, 0],
    ]),
  )('and has not been run: an answer of %s decides, and nobody runs the approved call after it', async (...row) => {
    const [said, code, times] = row
    const { line, asked, answered, approveElsewhere, paid } = payment()
    const id = await asked()
    expect((await answered(said, async () => expect(await approveElsewhere(id)).toBe('decided'))).code).toBe(code)
    expect(paid()).toBe(times)
    expect(await runCommand([...line, '--ticket', id])).toMatchObject({ code: 2 })
    expect(paid()).toBe(times)
  })
})

describe('a call that several people must approve', () => {
  const several = { policy: { approvals: [{ tools: ['*'], approvers: 2, four_eyes: false }] } }

  test('is not made by the yes of one at a terminal: it waits, and is made once the others agree', async () => {
    const { line, asked, answered, approveElsewhere, paid } = payment(several)
    const first = await answered('yes')
    expect(first).toMatchObject({ code: 2, stderr: expect.stringContaining("needs a person's approval") })
    const id = await asked()
    expect(first.stderr).toContain(id)
    expect(await answered('yes')).toMatchObject({ code: 2, stderr: expect.stringContaining(id) })
    expect(await approveElsewhere(id, 'Eve')).toBe('waiting')
    expect(await answered('yes')).toMatchObject({ code: 2, stderr: expect.stringContaining(id) })
    expect(paid()).toBe(0)
    expect(await approveElsewhere(id, 'Bob')).toBe('decided')
    expect(await runCommand(line)).toMatchObject({ code: 0 })
    expect(paid()).toBe(1)
  })

  test('a no at the terminal ends it for all', async () => {
    const { line, asked, answered, approveElsewhere, paid } = payment(several)
    const id = await asked()
    expect(await answered('no')).toMatchObject({ code: 2 })
    for (const person of ['Eve', 'Bob']) expect(await approveElsewhere(id, person)).toBe('already')
    expect(await runCommand([...line, '--ticket', id])).toMatchObject({ code: 2 })
    expect(paid()).toBe(0)
  })
})

describe('an approved call that nobody has run yet', () => {
  test.each(
    saying('yes', [
      ['yes', 0, 1],
      ['no', 2, 0],
    ]),
  )('is asked about anew with --again, and %s stands in its place', async (said, code, times) => {
    const { line, asked, answered, approveElsewhere, paid } = payment()
    const id = await asked()
    expect(await approveElsewhere(id)).toBe('decided')
    expect(await answered(said, undefined, '--again')).toMatchObject({ code })
    expect(paid()).toBe(times)
    expect(await runCommand([...line, '--ticket', id])).toMatchObject({ code: 2 })
    expect(paid()).toBe(times)
  })

  test('is what the same command finishes, whatever was asked for and rejected after it', async () => {
    const { line, db, asked, approveElsewhere, paid } = payment()
    const id = await asked()
    expect(await approveElsewhere(id)).toBe('decided')
    const later = await askedAgain(db, id)
    await runCommand(['approvals', 'reject', later, '--db', db])
    expect(await runCommand(line)).toMatchObject({ code: 0 })
    expect(paid()).toBe(1)
  })

  test('is not made beside the one that a person confirms at the terminal, though another was asked for after it', async () => {
    const { line, db, asked, answered, approveElsewhere, paid } = payment()
    const id = await asked()
    expect(await approveElsewhere(id)).toBe('decided')
    await askedAgain(db, id)
    expect(await answered('yes', undefined, '--again')).toMatchObject({ code: 0 })
    expect(await runCommand([...line, '--ticket', id])).toMatchObject({ code: 2 })
    expect(paid()).toBe(1)
  })
})

test('--ticket of an approval whose call has run says that nothing has run now', async () => {
  const { line, asked, approveElsewhere, paid } = payment()
  const id = await asked()
  expect(await approveElsewhere(id)).toBe('decided')
  const first = await runCommand([...line, '--ticket', id])
  expect(first).toMatchObject({ code: 0, stderr: expect.not.stringContaining('Nothing has run now') })
  const again = await runCommand([...line, '--ticket', id])
  expect(again).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/was already run at \d{4}-\S+Z\. Nothing has run now; --again instead of --ticket/),
  })
  expect(paid()).toBe(1)
})
