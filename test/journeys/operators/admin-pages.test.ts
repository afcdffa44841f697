// The operators' pages as pages: addresses that can be kept and sent, keys, what is told when something is missing, and
// what no person should have to complain about: contrast, names, a phone, twice the size of text, forced colours.
import type { Browser, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { casesOf } from '../../full.ts'
import { sharedBrowser } from '../../hosts/browser.ts'
import { violationsInBothThemes } from '../../kit/axe.ts'
import type { ServerConfig } from '../../../server/config/config.schema.ts'
import { goTo, openHouse, openPage, openSignedIn, password, withPassword, withToken, type House } from './admin-page.ts'
import { letIn } from '../processes.ts'

let browser: Browser
let house: House
/** An approval that waits, and one that was decided. */
let waiting: string
let decided: string

beforeAll(async () => {
  browser = await sharedBrowser()
  house = await openHouse()
  const agent = await house.agent()
  const ask = async (note: string): Promise<string> =>
    String((await agent.call('orders_modify', { id: 'SO-1006', note, preview: false })).data['approval_id'])
  decided = await ask('Ring once')
  await house.records.approvals.decide(decided, {
    decision: 'rejected',
    reason: 'Not today.',
    by: { name: 'Eve', person: 'admin', via: 'terminal' },
  })
  waiting = await ask('Ring twice')
  await agent.call('submit_feedback', {
    attempted_action: 'Change an order that was delivered',
    expected_outcome: 'A new note on it',
    actual_outcome: 'It was refused',
    severity: 'high',
    rationale: 'The operators should know that this is asked for.',
  })
})

const heading = (page: Page) => page.getByRole('heading', { level: 1 })
const headingHasFocus = (page: Page) =>
  heading(page).evaluate((element) => element === element.ownerDocument.activeElement)

describe('signing in', () => {
  test('a wrong password and an unknown name read alike, and the right one leads to where one was going', async () => {
    const code = await house.account('Dee', [{ kind: 'viewer' }])
    const { page, complaints, close } = await openPage(browser, `${house.url}/admin/tools/orders_delete`)
    expect(await page.getByLabel('Password').getAttribute('type')).toBe('password')
    const said: (string | null)[] = []
    for (const name of ['Dee', 'Nobody']) {
      await page.getByLabel('Name', { exact: true }).fill(name)
      await page.getByLabel('Password').fill('not the password')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('alert').waitFor()
      said.push(await page.getByRole('alert').textContent())
      await page.reload()
    }
    expect(said[0]).toContain('The name or the password is wrong.')
    expect(said[0]).toBe(said[1])
    await withPassword(page, 'Dee', code())
    await page.getByRole('heading', { name: 'Delete a sales order' }).waitFor()
    expect(complaints).toEqual([])
    await close()
  })

  test('a session outlives a reload; when it has ended, signing in again leads back to the same page', async () => {
    await house.records.operators.accounts.add({
      name: 'Fay',
      roles: [{ kind: 'admin' }],
      tenant: undefined,
      subjects: [],
      password,
    })
    const { page, close } = await openPage(browser, `${house.url}/admin/settings`)
    const enter = async (): Promise<void> => {
      await page.getByLabel('Name', { exact: true }).fill('Fay')
      await page.getByLabel('Password').fill(password)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
    }
    await enter()
    await page.reload()
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
    await page.context().clearCookies()
    // By address: the page asks by itself, too, and may have put the sign-in in the place of its links by now.
    await goTo(page, '/admin/tools')
    await page.getByText('Your session has ended.').waitFor()
    await page.getByLabel('Name', { exact: true }).fill('Fay')
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Tools', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await close()
  })

  test('after somebody has signed in in another tab, the first decision is not taken in their name', async () => {
    const roles = [{ kind: 'admin' }] as const
    for (const name of ['Hal', 'Ida'])
      await house.records.operators.accounts.add({ name, roles, tenant: undefined, subjects: [], password })
    const cookie = await house.session('Hal')
    const { page, close } = await openPage(browser, `${house.url}/admin/approvals/${waiting}`, { cookie })
    await page.getByRole('banner').getByText('Hal').waitFor()
    // The browser's cookie becomes Ida's in one step: in a moment without one the page would ask for a name again.
    await page.context().addCookies([await house.session('Ida')])
    await page.getByRole('button', { name: 'Reject…' }).click()
    await page.getByLabel('Why not?').fill('Not while I am not me.')
    await page.getByRole('button', { name: 'Reject it' }).click()
    await page.getByText('Somebody signed in in another tab.').waitFor()
    await page.getByRole('banner').getByText('Ida').waitFor()
    expect((await house.records.approvals.find(waiting))?.state).toBe('pending')
    await close()
  })
})

describe('going about', () => {
  test('each page has an address; back and forward work, and the heading takes the focus', async () => {
    const { page, complaints, close } = await openPage(browser, `${house.url}/admin`)
    await withToken(page)
    await page.getByRole('link', { name: 'Tools', exact: true }).click()
    await page.getByRole('link', { name: 'Delete a sales order' }).click()
    await page.getByText('Before any write or non-trivial query').waitFor()
    expect(new URL(page.url()).pathname).toBe('/admin/tools/orders_delete')
    expect(await headingHasFocus(page)).toBe(true)
    expect(await page.title()).toContain('Delete a sales order')
    await page.goBack()
    await page.getByRole('heading', { name: 'Tools', level: 1 }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'Approvals', level: 1 }).waitFor()
    await page.goForward()
    await page.getByRole('heading', { name: 'Tools', level: 1 }).waitFor()
    expect(complaints).toEqual([])
    await close()
  })

  test('a jump to a section goes there and stays there, and is in the address', async () => {
    const { page, close } = await openSignedIn(browser, `${house.url}/admin/settings`)
    await page.getByText('There are no delegations.').waitFor()
    await page.getByRole('link', { name: 'Webhooks', exact: true }).click()
    expect(new URL(page.url()).hash).toBe('#webhooks')
    const section = page.getByRole('region', { name: 'Webhooks' })
    await expect
      .poll(() => section.evaluate((element) => element.getBoundingClientRect().bottom <= innerHeight + 1))
      .toBe(true)
    await close()
  })

  test('filters stand in the address, and an address with filters opens so', async () => {
    const { page, close } = await openPage(browser, `${house.url}/admin/tools?risk=critical`)
    await withToken(page)
    await page.getByRole('link', { name: 'Delete a sales order' }).waitFor()
    expect(await page.getByRole('link', { name: 'List sales orders' }).count()).toBe(0)
    await page.getByLabel('Risk').selectOption('forbidden')
    await page.getByRole('link', { name: 'Read a stored card token' }).waitFor()
    expect(new URL(page.url()).search).toBe('?risk=forbidden')
    await close()
  })

  test('everything that a mouse does is done with keys, and no key decides anything', async () => {
    const { page, close } = await openSignedIn(browser, `${house.url}/admin`)
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keys' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.keyboard.press('g')
    await page.keyboard.press('t')
    await page.getByRole('heading', { name: 'Tools', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'List sales orders' }).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Get a sales order' }).waitFor()
    await page.keyboard.press('u')
    await page.getByRole('heading', { name: 'Tools', level: 1 }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('gta')
    expect(await page.getByLabel('Name').inputValue()).toBe('gta')
    await close()
  })

  test('keys that are switched off do nothing, also after a reload', async () => {
    const { page, close } = await openPage(browser, `${house.url}/admin`)
    await withToken(page)
    await page.getByRole('button', { name: 'Keys' }).click()
    await page.getByLabel('Use these keys').uncheck()
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    await page.reload()
    await page.getByRole('navigation', { name: 'Pages' }).waitFor()
    await page.keyboard.press('?')
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.getByRole('button', { name: 'Keys' }).click()
    await page.getByRole('dialog', { name: 'Keys' }).waitFor()
    await close()
  })

  test('an address that leads nowhere says so, and so does an approval that is not there', async () => {
    const { page, close } = await openPage(browser, `${house.url}/admin/nothing/here`)
    await withToken(page)
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
    await page.getByRole('link', { name: 'Go to Approvals' }).click()
    await goTo(page, '/admin/approvals/ap_0000000000000000')
    await page.getByText('There is no such approval.').waitFor()
    await close()
  })

  test('while the server is away the page says so, and it goes on when it is back', async () => {
    const { page, close } = await openSignedIn(browser, `${house.url}/admin/approvals`)
    await page
      .getByRole('link', { name: /SO-1006/ })
      .first()
      .waitFor()
    await page.context().setOffline(true)
    await page.getByRole('link', { name: 'Tools', exact: true }).click()
    await page.getByRole('main').getByRole('button', { name: 'Try again' }).waitFor()
    await page.getByText('The server does not answer.').first().waitFor()
    await page.context().setOffline(false)
    await page.getByRole('link', { name: 'List sales orders' }).waitFor()
    await close()
  })
})

test('the theme is chosen with the keyboard, kept, and there before anything else of the page is', async () => {
  const { page, close } = await openSignedIn(browser, `${house.url}/admin/tools`)
  const drawn = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const light = await drawn()
  const theme = page.getByLabel('Theme')
  await theme.focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  expect(await theme.inputValue()).toBe('dark')
  const dark = await drawn()
  expect(dark).not.toBe(light)
  const program = /\/admin\/assets\/index-.*\.js$/
  await page.route(program, (route) => route.abort())
  await page.reload()
  expect(await drawn()).toBe(dark)
  await page.unroute(program)
  await page.reload()
  expect(await theme.inputValue()).toBe('dark')
  await theme.selectOption('System theme')
  expect(await drawn()).toBe(light)
  await close()
})

describe('tools and settings', () => {
  test('a forbidden tool, which no agent finds, is shown to operators as forbidden', async () => {
    const agent = await house.agent()
    expect(agent.tools.map(({ name }) => name)).not.toContain('payments_read_card_token')
    const { page, close } = await openSignedIn(browser, `${house.url}/admin/tools/payments_read_card_token`)
    await page.getByText('Forbidden for agents.').waitFor()
    expect(await page.locator('.rung[aria-current]').textContent()).toContain('forbidden')
    await close()
  })

  test('a contract says all of itself: what it does, how it can fail, what it takes', async () => {
    const { page, close } = await openSignedIn(browser, `${house.url}/admin/tools/orders_create`)
    await page.getByRole('row', { name: /lines\[\]\.sku/ }).waitFor()
    const text = (await page.getByRole('main').textContent()) ?? ''
    for (const words of [
      'orders:write',
      'runs once for each confirmation',
      'orders.create',
      'Side effects',
      'mcp://orders/cheatsheet',
      'required: the card of its preview',
      '"expected_side_effects"',
    ])
      expect(text).toContain(words)
    expect(await page.getByRole('table', { name: 'Failures' }).getByRole('row').count()).toBeGreaterThan(1)
    const errors = page.getByRole('table', { name: 'Errors of this server' })
    expect(await errors.getByRole('row', { name: /plan_stale.*fresh preview/ }).count()).toBe(1)
    await close()
  })

  test('the settings say each rule of policy and guidance', async () => {
    const shown = {
      proof: /To run, a critical-risk call needs/,
      auto_approve_high_risk: /High-risk calls without a person/,
      apply: /Confirm sends to the chat.*all arguments/,
      approval_ttl_minutes: /An approval waits/,
      plan_ttl_minutes: /A preview can be confirmed for/,
      approvals: /Who approves/,
      errors: /Errors tell agents.*what to do next/,
      budget: /Tools with a budget tell agents.*how much/,
      sample: /Sessions that get this advice.*all of them/,
    } satisfies Record<keyof (ServerConfig['policy'] & ServerConfig['guidance']), RegExp>
    const { page, close } = await openSignedIn(browser, `${house.url}/admin/settings`)
    const rules = page.getByRole('region', { name: 'Rules in force' })
    for (const rule of Object.values(shown)) await rules.filter({ hasText: rule }).waitFor()
    await close()
  })

  test('settings say which calls never run without a person, whatever auto_approve_high_risk says', async () => {
    const { page, close } = await openSignedIn(browser, `${house.url}/admin/settings`)
    const said = page.getByText(/^It would never cover critical or forbidden calls/)
    await said.waitFor()
    expect(await said.textContent()).toContain('nor any call in a freeze')
    await close()
  })

  test('a token is shown once, and can be revoked', async () => {
    const { page, complaints, close } = await openSignedIn(browser, `${house.url}/admin/settings`)
    await page.getByRole('button', { name: 'New token…' }).click()
    const form = page.getByRole('form', { name: 'New token' })
    // A program that fills forms writes into all fields at once.
    const inputs = form.getByRole('textbox')
    await inputs.first().waitFor()
    await inputs.evaluateAll((all) => {
      for (const input of all as HTMLInputElement[]) {
        input.value = 'filled'
        input.dispatchEvent(new Event('input', { bubbles: true }))
      }
    })
    const values = () => inputs.evaluateAll((all) => all.map((input) => (input as HTMLInputElement).value))
    await expect.poll(values).toStrictEqual(Array(5).fill('filled'))
    for (const label of ['Tenant', 'Note']) await form.getByLabel(label).fill('')
    await form.getByLabel('Expires').fill('90d')
    await form.getByLabel('Who it is for').fill('night-shift')
    await form.getByLabel('Permissions').fill('orders:read, orders:write')
    await form.getByRole('button', { name: 'Create the token' }).click()
    const token = await page.getByRole('textbox', { name: 'Token', exact: true }).inputValue()
    expect(token.length).toBeGreaterThan(20)
    await page.getByRole('button', { name: 'I have copied it' }).click()
    const row = page.getByRole('row', { name: /night-shift/ })
    await row.getByText('orders:read orders:write').waitFor()
    expect(await page.content()).not.toContain(token)
    await row.getByRole('button', { name: 'Revoke…' }).click()
    await row.getByRole('button', { name: 'Revoke night-shift' }).click()
    await row.getByText('revoked', { exact: true }).waitFor()
    expect(complaints).toEqual([])
    await close()
  })

  test('somebody without the role is told so, section by section, and sees the rest', async () => {
    await house.account('Gil', [{ kind: 'viewer' }])
    const cookie = await house.session('Gil')
    const { page, close } = await openPage(browser, `${house.url}/admin/settings`, { cookie })
    await page.getByRole('region', { name: 'In force' }).getByText('Order desk').waitFor()
    for (const section of ['Callers’ tokens', 'Accounts'])
      await page.getByRole('region', { name: section }).getByText('Your role does not allow this.').waitFor()
    await page.getByText('Only admins freeze and unfreeze.').waitFor()
    await close()
  })
})

test('what an agent says of itself is text: no markup of it runs, and what cannot be seen is shown', async () => {
  const client = '<img src=x onerror="document.title=1">'
  const rationale = 'The customer asked for it. \u202Etxt.exe <b>really</b>'
  const response = await fetch(letIn(`${house.url}/api/v1/tools/orders_modify`), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-countersign-client': client },
    body: JSON.stringify({ id: 'SO-1007', note: '\u2066hidden\u2069 <script>1</script>', preview: false, rationale }),
  })
  const { approval_id: id } = (await response.json()) as { readonly approval_id: string }
  const { page, complaints, close } = await openSignedIn(browser, `${house.url}/admin/approvals/${id}`)
  const main = page.getByRole('main')
  await main.getByText('The agent says:').waitFor()
  const text = (await main.textContent()) ?? ''
  for (const seen of ['U+202E', 'U+2066', '<b>really</b>', '<script>1</script>', client]) expect(text).toContain(seen)
  expect(text).not.toMatch(/[\u202E\u2066\u2069]/)
  await page.getByRole('link', { name: 'Approvals', exact: false }).first().click()
  await page.getByRole('link', { name: /SO-1007/ }).waitFor()
  expect(await page.locator('main img, main script').count()).toBe(0)
  expect(complaints).toEqual([])
  await close()
})

test('every stop of the Tab key can be seen, and none of them holds on to it', async () => {
  const { page, close } = await openSignedIn(browser, `${house.url}/admin`)
  const trouble: string[] = []
  for (const [path, words] of somePages()) {
    await step(page, path, words)
    await page.getByRole('link', { name: 'To the content' }).focus()
    const stops: string[] = []
    for (let at = 0; at < 40; at++) {
      await page.keyboard.press('Tab')
      const stop = await page.evaluate(() => {
        const held = document.activeElement
        if (held === null || held === document.body) return undefined
        const drawn = [held, held.closest('li, label, summary')].some(
          (element) => element !== null && getComputedStyle(element).outlineStyle !== 'none',
        )
        const all = [...document.querySelectorAll('*')]
        // A moment has stops of the browser's own inside: its day, its hour, its calendar.
        const hasParts = held.matches('input[type="datetime-local"]')
        return { name: `${all.indexOf(held)} ${held.outerHTML.slice(0, 80)}`, drawn: drawn || hasParts, hasParts }
      })
      if (stop === undefined) break
      if (!stop.drawn) trouble.push(`${path}: ${stop.name} is not seen`)
      if (stops.at(-1) === stop.name && !stop.hasParts) trouble.push(`${path}: ${stop.name} holds on`)
      stops.push(stop.name)
    }
    // The navigation, and whatever the page itself has.
    if (stops.length < 8) trouble.push(`${path}: ${stops.length} stops`)
  }
  expect(trouble).toEqual([])
  await close()
})

/** Addresses below /admin, each with words that stand on it once it is complete. */
const pages = (): readonly (readonly [path: string, words: RegExp])[] => [
  ['approvals', /Ring|SO-1006/],
  [`approvals/${waiting}`, /Approving runs the call once/],
  [`approvals/${decided}`, /Not today/],
  ['activity', /orders_modify/],
  [`activity/${decided}`, /Not today|rejected/i],
  ['feedback', /It was refused/],
  ['insights', /calls/i],
  ['tools', /Delete a sales order/],
  ['tools/orders_create', /Schemas as agents get them/],
  ['tools/payments_read_card_token', /Forbidden for agents/],
  ['settings', /There are no delegations/],
  ['nothing', /There is no such page/],
]

/** One of each kind: what was decided, what is forbidden and what is not there are in the same frames. */
const somePages = () =>
  casesOf(pages(), ([path]) => path, [
    'approvals',
    `approvals/${waiting}`,
    'activity',
    'feedback',
    'insights',
    'tools',
    'tools/orders_create',
    'settings',
  ])

const step = async (page: Page, path: string, words: RegExp): Promise<void> => {
  await goTo(page, `/admin/${path}`)
  await page.getByRole('main').getByText(words).first().waitFor()
  // Nothing is judged half-way: what loads is there. What fades does not, where no motion is wanted.
  await expect.poll(() => page.getByText('Loading…').count()).toBe(0)
}

test('axe finds nothing on any page, in either theme', async () => {
  const { page, complaints, close } = await openPage(browser, `${house.url}/admin`, {
    reducedMotion: 'reduce',
  })
  const found: string[] = []
  const look = async (name: string): Promise<void> => {
    for (const violation of await violationsInBothThemes(page)) found.push(`${name}: ${violation}`)
  }
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await look('sign-in')
  await withToken(page)
  for (const [path, words] of somePages()) {
    await step(page, path, words)
    await look(path)
  }
  await step(page, `approvals/${waiting}`, /Approving runs/)
  await page.getByRole('button', { name: 'Reject…' }).click()
  await look('rejecting')
  await step(page, 'settings', /There are no delegations/)
  await page.getByRole('button', { name: 'New token…' }).click()
  await look('new token')
  await page.getByRole('button', { name: 'Keys' }).click()
  await look('keys')
  expect(found).toEqual([])
  expect(complaints).toEqual([])
  await close()
})

test('nothing is cut at 360 pixels, nor at twice the size of text', async () => {
  const { page, close } = await openPage(browser, `${house.url}/admin`, {
    viewport: { width: 360, height: 740 },
    hasTouch: true,
  })
  await withToken(page)
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  const wide: string[] = []
  for (const [path, words] of somePages()) {
    await step(page, path, words)
    if ((await overflow()) > 0) wide.push(path)
  }
  await page.setViewportSize({ width: 1280, height: 900 })
  for (const [path, words] of somePages()) {
    await step(page, path, words)
    await page.evaluate(() => void (document.documentElement.style.zoom = '2'))
    if ((await overflow()) > 0) wide.push(`${path} at 200 %`)
    await page.evaluate(() => void (document.documentElement.style.zoom = '1'))
  }
  expect(wide).toEqual([])
  await close()
})

test('in forced colours the decision keeps its edges, and without motion nothing moves', async () => {
  const { page, close } = await openSignedIn(browser, `${house.url}/admin/approvals/${waiting}`, {
    forcedColors: 'active',
    reducedMotion: 'reduce',
  })
  const approve = page.getByRole('button', { name: /^Approve/ })
  await approve.waitFor()
  expect(await approve.evaluate((element) => getComputedStyle(element).borderTopWidth)).toBe('2px')
  expect(await approve.evaluate((element) => getComputedStyle(element).transitionDuration)).toMatch(/^0s/)
  await close()
})
