// Operators as people: made at a terminal, signed in at the web door, four eyes on what cannot be undone, somebody who
// stands in, and two servers on one database that know of all of it at once.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Secret, TOTP } from 'otpauth'
import { describe, expect, test } from 'vitest'
import { eventually } from '../eventually.ts'
import { testDatabase, testSecret } from '../postgres.ts'
import { openBrowser, type Browser } from '../server/http/auth/browser.ts'
import { overHttp, type Agent } from './agent.ts'
import { atEnd, freshDatabase, place } from './at-end.ts'
import { freePort } from '../free-port.ts'
import { binary, letIn, startWeb } from './processes.ts'
import { roundRobin } from './round-robin.ts'
import { atTerminal, runCommand } from './terminal.ts'

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

const openDesk = async () => {
  const db = freshDatabase()
  const config = settings()
  const here = ['--db', db, '--config', config]
  const server = await startWeb([...binary, 'demo', '--port', '0', ...here])
  const agent = await overHttp(server.mcp, { cards: false })
  const signedIn = async (name: string, word = password): Promise<Browser> => {
    const browser = openBrowser(server.mcp.href)
    expect(await browser.signIn(name, word)).toMatchObject({ status: 200 })
    return browser
  }
  const account = (...args: readonly string[]) => runCommand(['account', ...args, ...here])
  /** Adds an account whose password is made for it; answers the password. */
  const added = async (name: string, ...args: readonly string[]) =>
    made((await account('add', name, '--generate', ...args)).stderr)
  return { mcp: server.mcp, here, agent, signedIn, account, added }
}

describe('an account', () => {
  test('is made with a password that a person types twice, and signs in with it', async () => {
    const { here, signedIn, account } = await openDesk()
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
    const { signedIn, account, added } = await openDesk()
    const first = await added('eve')
    const browser = await signedIn('eve', first)
    const second = made((await account('password', 'eve', '--generate')).stderr)
    expect((await browser.send('GET', '/api/v1/session')).status).toBe(401)
    expect((await browser.signIn('eve', first)).status).toBe(401)
    const other = await signedIn('eve', second)
    expect((await account('disable', 'eve')).code).toBe(0)
    expect((await other.send('GET', '/api/v1/session')).status).toBe(401)
    expect((await other.signIn('eve', second)).status).toBe(401)
    expect((await account('enable', 'eve')).code).toBe(0)
    expect((await other.signIn('eve', second)).status).toBe(200)
    expect((await account('remove', 'eve')).code).toBe(0)
    expect((await other.send('GET', '/api/v1/session')).status).toBe(401)
    for (const [command, ...more] of [
      ['remove'],
      ['disable'],
      ['role', '--role', 'admin'],
      ['password', '--generate'],
    ] as const) {
      const gone = await account(command, 'eve', ...more)
      expect([gone.code, gone.stderr]).toStrictEqual([1, expect.stringContaining('There is no account "eve"')])
    }
  })

  test('that cannot be understood is refused by what is wrong with it', async () => {
    const { account } = await openDesk()
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
    const { here, mcp, signedIn, account, added } = await openDesk()
    const word = await added('eve')
    let code = ''
    const enrolled = await atTerminal(
      ['account', 'totp', 'eve', ...here],
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
    expect((await account('list')).stdout).toContain('password + code')
    const browser = openBrowser(mcp.href)
    expect((await browser.signIn('eve', word)).status).toBe(428)
    expect((await browser.signIn('eve', word, code)).status).toBe(200)
    const reset = await atTerminal(['account', 'totp', 'eve', '--reset', ...here], [['Type reset', 'reset']])
    expect([reset.code, reset.stderr]).toStrictEqual([0, expect.stringContaining('The authenticator is removed.')])
    await signedIn('eve', word)
  })
})

test('the second factor of the admin token can be taken away where it is lost, and the record says who did', async () => {
  const { here } = await openDesk()
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
    const { here, agent, signedIn, added } = await openDesk()
    const words = { eve: await added('eve', '--role', 'approver'), bob: await added('bob', '--role', 'admin') }
    const id = await askToDelete(agent)
    const shown = await runCommand(['approvals', 'show', id, ...here])
    const asker = /Asked for by (\S+)/.exec(shown.stdout)?.[1] ?? ''
    const own = await signedIn(asker, await added(asker, '--role', 'admin'))
    expect((await own.send('POST', `/api/v1/approvals/${id}/approve`)).text).toContain('who asks does not approve')
    const nobody = await atTerminal(['approvals', 'approve', id, '--by', 'somebody', ...here])
    expect([nobody.code, nobody.stderr]).toStrictEqual([1, expect.stringContaining('does not show who you are')])
    expect(nobody.stderr).toContain('--account')
    const first = await atTerminal(
      ['approvals', 'approve', id, '--account', 'eve', ...here],
      [
        ['Password of eve', words.eve],
        ['Type SO-1008', 'SO-1008'],
      ],
    )
    expect([first.code, first.stderr]).toStrictEqual([0, expect.stringContaining('waits for 1 more: another person')])
    expect(first.stdout).toContain('Takes 2 people, never who asks')
    const twice = await atTerminal(
      ['approvals', 'approve', id, '--account', 'eve', ...here],
      [
        ['Password of eve', words.eve],
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
      body: { approval: { decided_by: 'eve, bob' }, outcome: { status: 'applied' } },
    })
    expect(await ordersOf(agent)).not.toContain('SO-1008')
    expect((await agent.call('orders_delete', { id: 'SO-1008', ticket: id, preview: false })).status).toBe('replayed')
  })

  test('can be decided by who stands in, until it is taken back; the record says for whom', async () => {
    const { here, agent, account, added, signedIn } = await openDesk()
    await added('Lena', '--role', 'approver')
    const word = await added('bob', '--role', 'viewer')
    const until = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
    const lent = await account('delegate', 'lena', 'bob', '--until', until, '--tools', 'orders_*')
    expect([lent.code, lent.stderr]).toStrictEqual([0, expect.stringContaining('bob may approve for Lena until')])
    const id = await askToDelete(agent)
    const voted = await atTerminal(
      ['approvals', 'approve', id, '--account', 'bob', '--for', 'Lena', ...here],
      [
        ['Password of bob', word],
        ['Approving as bob for Lena', ''],
      ],
    )
    expect(voted.stderr).toContain('it still waits')
    const bob = await signedIn('bob', word)
    expect((await bob.send('POST', `/api/v1/approvals/${id}/approve`)).body).toMatchObject({
      approval: { votes: [{ by: 'bob', on_behalf_of: 'Lena' }], needs: { missing: 1 } },
    })
    const delegation = /de_[0-9a-f]{16}/.exec(lent.stderr)?.[0] ?? ''
    expect((await account('undelegate', delegation)).code).toBe(0)
    expect((await account('delegations')).stdout).toMatch(
      new RegExp(`${delegation} +Lena +bob +orders_\\* .*taken back by`),
    )
    const other = await askToDelete(agent, 'SO-1006')
    expect((await bob.send('POST', `/api/v1/approvals/${other}/approve`)).status).toBe(403)
    for (const [from, to, date, said] of [
      ['bob', 'lena', until, 'nothing to delegate'],
      ['lena', 'lena', until, 'stand in for themselves'],
      ['lena', 'bob', '2020-01-01', 'has passed'],
      ['lena', 'bob', 'friday', 'cannot be read'],
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
