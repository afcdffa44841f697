// A person whom one provider knows has two ways here: their browser, as an operator, and their agent's token, as a caller.
// Four eyes must see that the two are one.
import { expect, test } from 'vitest'
import { freePort } from '../../../free-port.ts'
import { openDesk } from '../../http/auth/serve-protected.ts'
import { startIssuer } from '../../http/auth/issuer.ts'
import { client, openWanderer, startProvider } from '../../http/auth/openid-provider.ts'

test('who asks with a token of the provider does not approve with the session of the provider, whatever their name', async () => {
  const port = await freePort()
  const people = {
    'u-17': { preferred_username: 'Ada L.', groups: ['leads'] },
    'u-18': { preferred_username: 'Bob', groups: ['leads'] },
  }
  const provider = await startProvider(people, `http://127.0.0.1:${port}/api/v1/session/oidc/callback`)
  const issuer = await startIssuer()
  const desk = await openDesk(
    {
      access: { mode: 'jwt', jwt: { issuer: issuer.url, audience: 'https://desk.example/mcp', tenant: 'acme' } },
      policy: { approvals: [{ tools: ['things_drop'], approvers: 1, four_eyes: true }] },
      operators: {
        oidc: {
          issuer: provider.issuer,
          client_id: client.id,
          client_secret: client.secret,
          roles_claim: 'groups',
          roles: { leads: ['admin'] },
        },
      },
    },
    { http: { port } },
  )
  const signIn = async (login: string) => {
    const browser = openWanderer()
    const callback = await browser.passProvider(`${desk.web.url}/api/v1/session/oidc`, login)
    expect((await browser.go(callback.href)).status).toBe(303)
    const session = (await (await browser.go(`${desk.web.url}/api/v1/session`)).json()) as { readonly csrf: string }
    return async (path: string, init?: RequestInit) => {
      const headers = { 'content-type': 'application/json', 'x-countersign-csrf': session.csrf }
      return await browser.go(`${desk.web.url}/api/v1${path}`, { headers, ...init })
    }
  }
  const [ada, bob] = [await signIn('u-17'), await signIn('u-18')]
  const claims = { aud: 'https://desk.example/mcp', sub: 'u-17', scope: 'things:drop' }
  const asked = await desk.call('things_drop', { id: '1', preview: false }, `Bearer ${await issuer.sign(claims)}`)
  const path = `/approvals/${String(asked.body['approval_id'])}`
  const refused = await ada(`${path}/approve`, { method: 'POST', body: '{}' })
  expect([refused.status, await refused.text()]).toStrictEqual([
    403,
    expect.stringContaining('who asks does not approve'),
  ])
  // Also where an admin has given the account other subjects.
  const account = await desk.records.operators.accounts.find('Ada L.')
  expect(account?.subjects).toStrictEqual(['u-17'])
  await desk.records.operators.accounts.change(account?.id ?? '', { subjects: ['svc-7'] })
  expect((await ada(`${path}/approve`, { method: 'POST', body: '{}' })).status).toBe(403)
  expect(desk.done).toStrictEqual([])
  const agreed = await bob(`${path}/approve`, { method: 'POST', body: '{}' })
  expect([agreed.status, desk.done]).toStrictEqual([200, ['dropped 1']])
})
