// Operators as people: made at a terminal, signed in at the web door, four eyes on what cannot be undone, somebody who
// stands in, and two servers on one database that know of all of it at once.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Secret, TOTP } from 'otpauth'
import { beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../../eventually.ts'
import { testDatabase, testSecret } from '../../postgres.ts'
import { openBrowser, type Browser } from '../../server/http/auth/browser.ts'
import { overHttp, type Agent } from '../agent.ts'
import { atEnd, freshDatabase, place } from '../at-end.ts'
import { freePort } from '../../free-port.ts'
import { webHere } from '../in-process.ts'
import { binary, letIn, startWeb } from '../processes.ts'
import { roundRobin } from '../round-robin.ts'
import { atTerminal, runCommand } from '../terminal.ts'

const password = 'correct horse battery'

/** A settings file; two people must agree to a deletion, neither of them who asks. */
const settings = (more: object = {}): string => {
  const file = join(place(), 'countersign.json')
  const approvals = [{ tools: ['orders_delete'], approvers: 2, four_eyes: true }]
  writeFileSync(file, JSON.stringify({ policy: { approvals }, ...more }))
  return file
}

const made = (text: string): string => {
  const found = /shown once: {2}(\S+)/.exec(text)?.[1]
  if (found === undefined) throw new Error(`No password was made: ${text}`)
  return found
}

const ordersOf = async (agent: Agent): Promise<readonly string[]> => {
  const { orders } = (await agent.call('orders_list')).data as { readonly orders: readonly { readonly id: string }[] }
  return orders.map(({ id }) => id)
}

const askToDelete = async (agent: Agent, id = 'SO-1008'): Promise<string> =>
  String((await agent.call('orders_delete', { id })).data['approval_id'])

/** A terminal at a database that no server uses yet. */
const openTerminal = () => {
  const here = ['--db', freshDatabase(), '--config', settings()]
  const account = (...args: readonly string[]) => runCommand(['account', ...args, ...here])
  /** Adds an account whose password is made for it; answers the password. */
  const added = async (name: string, ...args: readonly string[]) =>
    made((await account('add', name, '--generate', ...args)).stderr)
  return { here, account, added }
}

const openDesk = async () => {
  const terminal = openTerminal()
  const server = await webHere(['demo', '--port', '0', ...terminal.here])
  const agent = await overHttp(server.mcp, { cards: false })
  const signedIn = async (name: string, word = password): Promise<Browser> => {
    const browser = openBrowser(server.mcp.href)
    expect(await browser.signIn(name, word)).toMatchObject({ status: 200 })
    return browser
  }
  return { mcp: server.mcp, ...terminal, agent, signedIn }
}

/** The server of all tests that need no other: each has names and orders of its own. */
let desk: Awaited<ReturnType<typeof openDesk>>
beforeAll(async () => {
  desk = await openDesk()
})

describe('an account', () => {
  test('is made with a password that a person types twice, and signs in with it', async () => {
    const { here, signedIn, account } = desk
    const eve = await atTerminal(
      ['account', 'add', 'Eve', '--role', 'approver', '--tools', 'orders_*', '--max-amount', '500 EUR', ...here],
      [
        ['New password of Eve', 'short'],
        ['12 are needed', ''],
      ],
    )
    expect([eve.code, eve.stderr]).toStrictEqual([1, expect.stringContaining('No password was set')])
    const again = await atTerminal(
      ['account', 'add', 'Eve', '--role', 'approver', '--tools', 'orders_*', '--max-amount', '500 EUR', ...here],
      [
        ['New password of Eve', password],
        ['The same again', password],
      ],
    )
    expect([again.code, again.stderr]).toStrictEqual([0, expect.stringContaining('Added Eve.')])
    // What is typed is not shown.
    expect(again.stderr + again.stdout).not.toContain(password)
    const browser = await signedIn('eve')
    expect((await browser.send('GET', '/api/v1/session')).body).toMatchObject({
      operator: {
        name: 'Eve',
        roles: [{ kind: 'approver', tools: ['orders_*'], maxAmount: { value: '500', currency: 'EUR' } }],
      },
    })
    expect((await account('add', 'EVE', '--generate')).stderr).toContain('There is an account')
    const list = await account('list')
    expect(list.stdout).toMatch(/Eve +active +\(all\) +approver of orders_\* up to 500 EUR +password/)
  })

  test('is signed out everywhere by another password, and kept out while it is disabled', async () => {
    const { signedIn, account, added } = desk
    const first = await added('una')
    const browser = await signedIn('una', first)
    const second = made((await account('password', 'una', '--generate')).stderr)
    expect((await browser.send('GET', '/api/v1/session')).status).toBe(401)
    expect((await browser.signIn('una', first)).status).toBe(401)
    const other = await signedIn('una', second)
    expect((await account('disable', 'una')).code).toBe(0)
    expect((await other.send('GET', '/api/v1/session')).status).toBe(401)
    expect((await other.signIn('una', second)).status).toBe(401)
    expect((await account('enable', 'una')).code).toBe(0)
    expect((await other.signIn('una', second)).status).toBe(200)
    expect((await account('remove', 'una')).code).toBe(0)
    expect((await other.send('GET', '/api/v1/session')).status).toBe(401)
    for (const [command, ...more] of [
      ['remove'],
      ['disable'],
      ['role', '--role', 'admin'],
      ['password', '--generate'],
    ] as const) {
      const gone = await account(command, 'una', ...more)
      expect([gone.code, gone.stderr]).toStrictEqual([1, expect.stringContaining('There is no account "una"')])
    }
  })

  test('that cannot be understood is refused by what is wrong with it', async () => {
    const { account } = openTerminal()
    for (const [args, said] of [
      [['admin'], 'cannot be an account'],
      [['eve', '--role', 'approver', '--max-amount', '500'], 'The amount "500"'],
      [['eve', '--role', 'approver', '--tools', 'orders *'], '"orders *" is not the name of a tool'],
      [['eve', '--role', 'viewer', '--tools', 'orders_*'], 'are for approvers'],
    ] as const) {
      const refused = await account('add', ...args, '--generate')
      expect([refused.code, refused.stderr]).toStrictEqual([1, expect.stringContaining(said)])
    }
    expect((await account('add', 'eve', '--role', 'boss')).code).toBe(2)
    expect((await account('list', '--json')).stdout.trim()).toBe('[]')
  })

  test('enrols an authenticator at a terminal, takes its codes, and loses it again where it is lost', async () => {
    const { here, mcp, signedIn, account, added } = desk
    const word = await added('tim')
    let code = ''
    const enrolled = await atTerminal(
      ['account', 'totp', 'tim', ...here],
      [
        [
          'Code that it shows now',
          (shown) => {
            const secret = /type the secret {2}([A-Z2-7]+)/.exec(shown)?.[1] ?? ''
            const totp = new TOTP({ secret: Secret.fromBase32(secret) })
            code = totp.generate({ timestamp: Date.now() + 30_000 })
            return totp.generate()
          },
        ],
      ],
    )
    expect([enrolled.code, enrolled.stderr]).toStrictEqual([0, expect.stringContaining('Enrolled.')])
    expect((await account('list')).stdout).toMatch(/tim +active .*password \+ code/)
    const browser = openBrowser(mcp.href)
    expect((await browser.signIn('tim', word)).status).toBe(428)
    expect((await browser.signIn('tim', word, code)).status).toBe(200)
    const reset = await atTerminal(['account', 'totp', 'tim', '--reset', ...here], [['Type reset', 'reset']])
    expect([reset.code, reset.stderr]).toStrictEqual([0, expect.stringContaining('The authenticator is removed.')])
    await signedIn('tim', word)
  })
})

test('the second factor of the admin token can be taken away where it is lost, and the record says who did', async () => {
  const { here } = openTerminal()
  await atTerminal(
    ['admin', 'totp', ...here],
    [
      [
        'Code that it shows now',
        (shown) => new TOTP({ secret: Secret.fromBase32(/secret {2}([A-Z2-7]+)/.exec(shown)?.[1] ?? '') }).generate(),
      ],
    ],
  )
  const kept = await atTerminal(['admin', 'totp', '--reset', ...here], [['Type reset', 'no']])
  expect([kept.code, kept.stderr]).toStrictEqual([1, expect.stringContaining('Nothing was changed.')])
  expect((await atTerminal(['admin', 'totp', '--reset', ...here], [['Type reset', 'reset']])).code).toBe(0)
  const none = await atTerminal(['admin', 'totp', '--reset', ...here])
  expect(none.stderr).toContain('No authenticator is enrolled.')
  const log = await runCommand(['activity', 'list', ...here])
  expect(log.stdout).toContain('operator.totp_enrolled')
  expect(log.stdout).toContain('operator.totp_reset')
})

describe('a deletion that takes two people', () => {
  test('waits after the vote at a terminal, and happens with the vote on the web; whoever asks has none', async () => {
    const { here, agent, signedIn, added } = desk
    const words = { cleo: await added('cleo', '--role', 'approver'), bob: await added('bob', '--role', 'admin') }
    const id = await askToDelete(agent)
    const shown = await runCommand(['approvals', 'show', id, ...here])
    const asker = /Asked for by (\S+)/.exec(shown.stdout)?.[1] ?? ''
    const own = await signedIn(asker, await added(asker, '--role', 'admin'))
    expect((await own.send('POST', `/api/v1/approvals/${id}/approve`)).text).toContain('who asks does not approve')
    const nobody = await atTerminal(['approvals', 'approve', id, '--by', 'somebody', ...here])
    expect([nobody.code, nobody.stderr]).toStrictEqual([1, expect.stringContaining('does not show who you are')])
    expect(nobody.stderr).toContain('--account')
    const first = await atTerminal(
      ['approvals', 'approve', id, '--account', 'cleo', ...here],
      [
        ['Password of cleo', words.cleo],
        ['Type SO-1008', 'SO-1008'],
      ],
    )
    expect([first.code, first.stderr]).toStrictEqual([0, expect.stringContaining('waits for 1 more: another person')])
    expect(first.stdout).toContain('Takes 2 people, never who asks')
    const twice = await atTerminal(
      ['approvals', 'approve', id, '--account', 'cleo', ...here],
      [
        ['Password of cleo', words.cleo],
        ['Type SO-1008', 'SO-1008'],
      ],
    )
    expect([twice.code, twice.stderr]).toStrictEqual([1, expect.stringContaining('has this vote already')])
    const wrong = await atTerminal(
      ['approvals', 'approve', id, '--account', 'bob', ...here],
      [['Password of bob', 'nope']],
    )
    expect([wrong.code, wrong.stderr]).toStrictEqual([1, expect.stringContaining('The name or the password is wrong.')])
    expect(await ordersOf(agent)).toContain('SO-1008')
    const bob = await signedIn('bob', words.bob)
    expect(await bob.send('POST', `/api/v1/approvals/${id}/approve`)).toMatchObject({
      status: 200,
      body: { approval: { decided_by: 'cleo, bob' }, outcome: { status: 'applied' } },
    })
    expect(await ordersOf(agent)).not.toContain('SO-1008')
    expect((await agent.call('orders_delete', { id: 'SO-1008', ticket: id, preview: false })).status).toBe('replayed')
  })

  test('can be decided by who stands in, until it is taken back; the record says for whom', async () => {
    const { here, agent, account, added, signedIn } = desk
    await added('Lena', '--role', 'approver')
    const word = await added('rob', '--role', 'viewer')
    const until = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
    const lent = await account('delegate', 'lena', 'rob', '--until', until, '--tools', 'orders_*')
    expect([lent.code, lent.stderr]).toStrictEqual([0, expect.stringContaining('rob may approve for Lena until')])
    const id = await askToDelete(agent, 'SO-1005')
    const voted = await atTerminal(
      ['approvals', 'approve', id, '--account', 'rob', '--for', 'Lena', ...here],
      [
        ['Password of rob', word],
        ['Approving as rob for Lena', ''],
      ],
    )
    expect(voted.stderr).toContain('it still waits')
    const rob = await signedIn('rob', word)
    expect((await rob.send('POST', `/api/v1/approvals/${id}/approve`)).body).toMatchObject({
      approval: { votes: [{ by: 'rob', on_behalf_of: 'Lena' }], needs: { missing: 1 } },
    })
    const delegation = /de_[0-9a-f]{16}/.exec(lent.stderr)?.[0] ?? ''
    expect((await account('undelegate', delegation)).code).toBe(0)
    expect((await account('delegations')).stdout).toMatch(
      new RegExp(`${delegation} +Lena +rob +orders_\\* .*taken back by`),
    )
    const other = await askToDelete(agent, 'SO-1006')
    expect((await rob.send('POST', `/api/v1/approvals/${other}/approve`)).status).toBe(403)
    for (const [from, to, date, said] of [
      ['rob', 'lena', until, 'nothing to delegate'],
      ['lena', 'lena', until, 'stand in for themselves'],
      ['lena', 'rob', '2020-01-01', 'has passed'],
      ['lena', 'rob', 'friday', 'cannot be read'],
      ['lena', 'nobody', until, 'There is no account'],
    ] as const)
      expect((await account('delegate', from, to, '--until', date)).stderr).toContain(said)
  })
})

describe('two servers on one PostgreSQL', () => {
  test('know one session, count one vote of each person, and run the call once', async () => {
    const database = await testDatabase()
    atEnd(() => database.drop())
    const servers: URL[] = []
    const proxy = await roundRobin(servers)
    const env = { COUNTERSIGN_SECRET: testSecret, COUNTERSIGN_ADMIN_TOKEN: 'the-token-of-the-operators-of-this-test' }
    const config = settings({ http: { public_url: proxy.origin, port: 0 } })
    const here = ['--db', database.url, '--config', config]
    // A server prints the address at which it is reached, which is the proxy's; so its own port is given to it.
    for (const port of [await freePort(), await freePort()]) {
      await startWeb([...binary, 'demo', '--port', String(port), ...here], { env })
      servers.push(new URL(`http://127.0.0.1:${port}/mcp`))
    }
    const agent = await overHttp(letIn(proxy), { cards: false })
    const names = ['ann', 'ben', 'cid', 'dan']
    const desks: Browser[] = []
    for (const name of names) {
      const added = await runCommand(['account', 'add', name, '--generate', '--role', 'approver', ...here], { env })
      const browser = openBrowser(proxy.href)
      expect((await browser.signIn(name, made(added.stderr))).status).toBe(200)
      // The next request goes to the other server.
      for (let times = 0; times < 2; times++) expect((await browser.send('GET', '/api/v1/session')).status).toBe(200)
      desks.push(browser)
    }
    for (const order of ['SO-1008', 'SO-1006']) {
      const id = await askToDelete(agent, order)
      const answers = await Promise.all(desks.map((desk) => desk.send('POST', `/api/v1/approvals/${id}/approve`)))
      expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toStrictEqual([
        200, 202, 409, 409,
      ])
      await eventually(async () => expect(await ordersOf(agent)).not.toContain(order))
      const story = await desks[0]?.send('GET', `/api/v1/activity/${id}`)
      const rows = story?.body['story'] as readonly {
        readonly tool: string
        readonly status: string
        readonly source: string
      }[]
      expect(rows.filter(({ status, source }) => status === 'applied' && source === 'approval')).toHaveLength(1)
      expect(rows.filter(({ tool, status }) => tool === 'approval.approved' && status === 'ok')).toHaveLength(2)
    }
    const [ann] = desks
    expect((await ann?.send('DELETE', '/api/v1/session'))?.status).toBe(200)
    for (let times = 0; times < 2; times++) expect((await ann?.send('GET', '/api/v1/session'))?.status).toBe(401)
    expect((await runCommand(['activity', 'verify', ...here], { env })).code).toBe(0)
  })
})
