// Codes of authenticators are read by a package that may not be installed. The store is a file, as a program of its own opens it.
import { join } from 'node:path'
import { Secret, TOTP } from 'otpauth'
import { expect, test } from 'vitest'
import { printedWithout } from '../../../../kit/without-packages.ts'
import { opened, place } from '../../../store/store-fixture.ts'
import { password } from '../serve-accounts.ts'

const index = JSON.stringify(new URL('../../../../../server/index.ts', import.meta.url).href)

test('without it nobody signs in whose account takes a code, and they read what to install', async () => {
  const file = join(place(), 'desk.db')
  const store = await opened({ file })
  const { accounts } = store.operators
  const account = await accounts.add({
    name: 'ada',
    tenant: undefined,
    roles: [{ kind: 'admin' }],
    subjects: [],
    password,
  })
  const factor = accounts.factor(account?.id ?? '')
  const { secret } = await factor.begin('ada')
  expect(await factor.confirm(new TOTP({ secret: Secret.fromBase32(secret) }).generate())).toBe(true)
  const said = await printedWithout(
    'otpauth',
    `
    const { createCountersign } = await import(${index})
    const server = createCountersign({ tools: [], store: ${JSON.stringify(file)} })
    const web = await server.http({ port: 0 })
    const signIn = async (code) => {
      const body = JSON.stringify({ name: 'ada', password: ${JSON.stringify(password)}, ...code })
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(web.url + '/api/v1/session', { method: 'POST', headers, body })
      return { status: answer.status, cookies: answer.headers.getSetCookie(), ...(await answer.json()) }
    }
    console.log(JSON.stringify([await signIn({}), await signIn({ code: '123456' })]))
    await web.close()
    await server.close()`,
  )
  expect(said).toMatchObject([
    { status: 428 },
    {
      status: 403,
      cookies: [],
      error: {
        code: 'second-factor-unavailable',
        message: 'The package otpauth, which a second factor needs, is not installed.',
        next: 'Run `npm install otpauth@9` beside Countersign.',
      },
    },
  ])
})
