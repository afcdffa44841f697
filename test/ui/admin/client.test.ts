// What the pages ask for is named by strangers: a tool's name, an id out of the address. It must stay one part of the path.
import { afterEach, expect, test, vi } from 'vitest'
import { createClient } from '../../../ui/admin/client.ts'

afterEach(() => void vi.unstubAllGlobals())

test.each([
  ['files/edit', 'files%2Fedit'],
  ['a?b#c', 'a%3Fb%23c'],
  ['100%', '100%25'],
  ['../tokens', '..%2Ftokens'],
])('the name %s is asked for as one part of the path', async (name, part) => {
  const asked: string[] = []
  vi.stubGlobal('fetch', (address: string) => {
    asked.push(address)
    return Promise.resolve(Response.json({}))
  })
  const client = createClient({
    credential: () => ({ kind: 'none' }),
    onSignedOut: () => undefined,
    onOtherSession: () => undefined,
    onReached: () => undefined,
  })
  await client.ask((api) => api.contracts[':name'].$get({ param: { name } }))
  await client.ask((api) =>
    api.definitions[':server'][':tool'].accept.$post({ param: { server: name, tool: name }, json: { digest: 'd' } }),
  )
  expect(asked).toEqual([`/api/v1/contracts/${part}`, `/api/v1/definitions/${part}/${part}/accept`])
})
