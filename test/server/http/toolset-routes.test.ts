// Addresses of a toolset at the web door: who may ask there, and what the toolset is told of who asks.
import { expect, test } from 'vitest'
import type { Toolset } from '../../../server/toolsets/toolset.ts'
import { openDesk } from './auth/serve-protected.ts'

const closed: string[] = []

const sets: readonly Toolset[] = ['first', 'second'].map(
  (name) =>
    ({ publicUrl }) =>
      Promise.resolve({
        tools: [],
        cheatsheets: { [name]: `# ${name}` },
        routes: [
          {
            path: `/shared-${name}` as const,
            open: 'anyone',
            handle: ({ url }: Request) =>
              Promise.resolve(Response.json({ path: new URL(url).pathname, at: publicUrl() })),
          },
          {
            path: `/api/v1/${name}` as const,
            open: 'callers',
            handle: (_, { principal, missing }) =>
              Promise.resolve(Response.json({ principal, missing: missing(['a:read', 'a:write']) })),
          },
        ],
        close: () => Promise.resolve(void closed.push(name)),
      }),
)

test('an address for anyone is answered to anyone, with all that is below it, and knows the address of the server', async () => {
  const { web } = await openDesk({ access: { mode: 'tokens' } }, { toolsets: sets })
  for (const path of ['/shared-first', '/shared-second/abc/def'])
    expect(await (await fetch(`${web.url}${path}`)).json()).toStrictEqual({ path, at: web.url })
  expect((await fetch(`${web.url}/shared-firs`)).status).toBe(404)
})

test('an address for callers is not answered without a credential, and is told who calls and what that one may not', async () => {
  const { web, records } = await openDesk({ access: { mode: 'tokens' } }, { toolsets: sets })
  const refused = await fetch(`${web.url}/api/v1/first`)
  expect([refused.status, await refused.json()]).toMatchObject([401, { error: { next: expect.any(String) } }])
  const { token } = await records.access.tokens.create({
    tenant: 'acme',
    subject: 'bot',
    permissions: ['a:read'],
    by: 'Eve',
  })
  const letIn = await fetch(`${web.url}/api/v1/first/upload`, { headers: { authorization: `Bearer ${token}` } })
  expect(await letIn.json()).toStrictEqual({ principal: { tenant: 'acme', subject: 'bot' }, missing: ['a:write'] })
})

test('where the secret of the start lets callers in, it is asked of them there too, and of nobody else', async () => {
  const { web } = await openDesk({ access: { mode: 'open' } }, { toolsets: sets })
  expect((await fetch(`${web.url}/api/v1/first`)).status).toBe(401)
  const secret = new URL(web.mcpUrl).searchParams.get('token') ?? ''
  expect((await fetch(`${web.url}/api/v1/first?token=${secret}`)).status).toBe(200)
  expect((await fetch(`${web.url}/shared-first`)).status).toBe(200)
  const guessed = await fetch(`${web.url}/api/v1/first`, { headers: { 'x-countersign-page': 'a guess' } })
  expect([guessed.status, await guessed.json()]).toMatchObject([403, { error: { data: { code: 'stale-page' } } }])
})

test('a toolset that cannot be opened closes those before it, and so does the end of the server', async () => {
  closed.length = 0
  const broken: Toolset = () => Promise.reject(new Error('no disk'))
  await expect(openDesk({ access: { mode: 'open' } }, { toolsets: [...sets, broken] })).rejects.toThrow('no disk')
  expect(closed).toStrictEqual(['second', 'first'])
})
