// A page that is open hears of an approval without asking, from whatever process it was asked for, and of none that is
// another tenant's.
import { describe, expect, test } from 'vitest'
import { openFront } from '../auth/serve-accounts.ts'
import { openOffice, token } from './serve-operators.ts'

interface Heard {
  readonly pending: number
  readonly newest?: string
}

/** Listens to the events of an address; each `next` is what is said after what was heard before. */
async function listen(url: string, headers: Readonly<Record<string, string>>) {
  const stop = new AbortController()
  const response = await fetch(`${url}/api/v1/approvals/events`, { headers, signal: stop.signal })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  const next = async (): Promise<Heard> => {
    for (;;) {
      const found = /^event: approvals\ndata: (.*)\n\n/m.exec(rest)
      if (found !== null) {
        rest = rest.slice(found.index + found[0].length)
        return JSON.parse(found[1] ?? '') as Heard
      }
      const read = await reader?.read()
      if (read === undefined || read.done) throw new Error(`The stream ended: ${rest}`)
      rest += read.value
    }
  }
  return { next, stop: () => stop.abort() }
}

const asAdmin = { authorization: `Bearer ${token}` }

describe('events of what waits', () => {
  test('begin with how it stands, and go on with each change', async () => {
    const office = await openOffice()
    const first = await office.ask('notes_drop', { id: 'one' })
    const { next, stop } = await listen(office.url, asAdmin)
    expect(await next()).toStrictEqual({ pending: 1, newest: first })
    const second = await office.ask('notes_drop', { id: 'two' })
    expect(await next()).toStrictEqual({ pending: 2, newest: second })
    await office.admin('POST', `/approvals/${second}/reject`, { reason: 'Not today.' })
    expect(await next()).toStrictEqual({ pending: 1, newest: first })
    await office.admin('POST', `/approvals/${first}/approve`)
    expect(await next()).toStrictEqual({ pending: 0 })
    stop()
  })

  test('reach a page of one process for what was asked for and decided in another', async () => {
    const office = await openOffice()
    const { next, stop } = await listen(office.url, asAdmin)
    expect(await next()).toStrictEqual({ pending: 0 })
    const id = await office.ask('notes_drop', { id: 'one' })
    expect(await next()).toStrictEqual({ pending: 1, newest: id })
    // Through a connection of its own, as another process has it.
    await office.records.approvals.decide(id, {
      decision: 'rejected',
      by: { name: 'Eve', person: 'eve', via: 'terminal' },
      reason: 'Not today.',
    })
    expect(await next()).toStrictEqual({ pending: 0 })
    stop()
  })

  test('are of one tenant where the operator is, and hold back the rest to the number', async () => {
    const front = await openFront()
    const call = (tenant: string) => front.call('notes_drop', { id: tenant }, { 'x-tenant': tenant })
    const ada = await front.desk('Ada', { tenant: 'acme' })
    const cookie = [...ada.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const { next, stop } = await listen(front.url, { cookie })
    expect(await next()).toStrictEqual({ pending: 0 })
    await call('globex')
    const { body } = await call('acme')
    expect(await next()).toStrictEqual({ pending: 1, newest: body['approval_id'] })
    stop()
  })

  test('are for operators only', async () => {
    const office = await openOffice()
    const response = await fetch(`${office.url}/api/v1/approvals/events`)
    expect(response.status).toBe(401)
    await response.body?.cancel()
  })
})
