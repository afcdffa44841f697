// The one way in which a web door is opened: what the settings say holds, and what would be a hole is not opened.
import { request } from 'node:http'
import { describe, expect, test } from 'vitest'
import { mcpClient } from '../../../kit/mcp-client.ts'
import { openDesk, why, type Desk } from './serve-protected.ts'

/** A request with any Host and Origin. */
const asked = (desk: Desk, headers: Record<string, string>): Promise<number> =>
  new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port: desk.web.port, path: '/nothing-here', headers }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    sent.on('error', reject).end()
  })

describe('a server on a network', () => {
  const refused = /does not start.*access\.mode "open".*--insecure-open/s

  test.each(['0.0.0.0', '::', '192.0.2.1', 'desk.internal'])('does not listen on %s for everybody', async (host) => {
    await expect(openDesk({ http: { host } })).rejects.toThrow(refused)
  })

  test('is not published for everybody either', async () => {
    await expect(openDesk({ http: { public_url: 'https://desk.example' } })).rejects.toThrow(refused)
    const local = await openDesk({ http: { public_url: 'http://localhost:9' } })
    expect(local.web.publicUrl).toBe('http://localhost:9')
  })

  test('opens where callers say who they are, or where its operator insists', async () => {
    const tokens = await openDesk({ http: { host: '0.0.0.0' }, access: { mode: 'tokens' } })
    expect((await tokens.call('things_look', { id: '1' })).status).toBe(401)
    const open = await openDesk({ http: { host: '0.0.0.0' }, access: { insecure_open: true } })
    expect((await open.call('things_look', { id: '1' })).status).toBe(200)
    const own = await openDesk({ http: { host: '0.0.0.0' } }, { principalOf: () => undefined })
    expect((await own.call('things_look', { id: '1' })).status).toBe(401)
  })

  test('tells operators what callers bring', async () => {
    const told = async (...settings: Parameters<typeof openDesk>) =>
      (await (await openDesk(...settings)).admin('GET', '/api/v1/settings')).body
    for (const [credential, config, options] of [
      ['secret', {}, {}],
      ['none', { access: { insecure_open: true } }, {}],
      ['tokens', { access: { mode: 'tokens' } }, {}],
      ['program', {}, { principalOf: () => undefined }],
    ] as const)
      expect(await told(config, options)).toMatchObject({ settings: { access: { credential } } })
  })

  test('has no playground where callers must say who they are', async () => {
    await expect(openDesk({ http: { playground: true }, access: { mode: 'tokens' } })).rejects.toThrow(/no credentials/)
    const desk = await openDesk({ access: { mode: 'tokens' } })
    expect(desk.web.playgroundUrl).toBeUndefined()
    expect((await desk.send('GET', '/playground')).status).toBe(404)
  })
})

describe('the public address', () => {
  test('is what answers and approvals name', async () => {
    const desk = await openDesk({
      http: { public_url: 'https://desk.example/' },
      access: { insecure_open: true },
    })
    const client = await mcpClient(desk.web.mcpUrl)
    const told = await client.callTool({ name: 'things_drop', arguments: { id: '1', rationale: why } })
    expect(JSON.stringify(told.content)).toMatch(/https:\/\/desk\.example\/admin\/approvals\/ap_/)
    expect(desk.web.publicUrl).toBe('https://desk.example')
  })

  test('is answered to, and its pages may call; other names and pages not', async () => {
    const desk = await openDesk({
      http: {
        public_url: 'https://desk.example',
        allowed_hosts: ['inner:80'],
        allowed_origins: ['https://other.example'],
      },
      access: { insecure_open: true },
    })
    for (const host of ['desk.example', 'inner:80', `127.0.0.1:${desk.web.port}`])
      expect(await asked(desk, { host })).toBe(404)
    for (const host of ['evil.example', 'inner:81', 'desk.example.evil.example'])
      expect(await asked(desk, { host })).toBe(403)
    for (const origin of ['https://desk.example', 'https://other.example'])
      expect(await asked(desk, { host: 'desk.example', origin })).toBe(404)
    for (const origin of ['https://evil.example', 'https://desk.example:444', 'null'])
      expect(await asked(desk, { host: 'desk.example', origin })).toBe(403)
  })
})

describe('the policy of the settings', () => {
  test('rates tools for one tenant, and lets another decide for itself', async () => {
    const desk = await openDesk({
      access: { mode: 'tokens' },
      policy: { auto_approve_high_risk: true },
      tenants: {
        strict: { risk: { things_change: 'critical' } },
        calm: { risk: { things_change: 'high' } },
        careful: { auto_approve_high_risk: false, risk: { things_change: 'high' } },
      },
    })
    const change = async (tenant: string) => {
      const body = { tenant, subject: 'bot', permissions: ['*'] }
      const bearer = `Bearer ${String((await desk.admin('POST', '/api/v1/tokens', body)).body['token'])}`
      const { body: told } = await desk.call('things_change', { id: tenant, preview: false }, bearer)
      return told['status'] ?? told['requires_human_approval']
    }
    expect(await change('strict')).toBe(true)
    expect(await change('calm')).toBe('applied')
    expect(await change('careful')).not.toBe('applied')
    expect(await change('constructor')).not.toBe('applied')
    expect(desk.done).toEqual(['changed calm'])
  })

  test('asks for another proof, and for longer', async () => {
    const desk = await openDesk({ policy: { plan_ttl_minutes: 60 } })
    const previewed = await desk.call('things_change', { id: '1' })
    expect(Date.parse(String(previewed.body['expires_at'])) - Date.now()).toBeGreaterThan(50 * 60_000)
    // Without cards nobody could bring a ticket, so a person is asked elsewhere.
    const strict = await openDesk({ policy: { proof: { medium: 'ticket' }, approval_ttl_minutes: 5 } })
    expect((await strict.call('things_change', { id: '1' })).body).toMatchObject({
      requires_human_approval: true,
      ttl_seconds: 300,
    })
  })
})

test('settings that cannot be used stop the start, by line', async () => {
  await expect(openDesk({ http: { prot: 1 } })).rejects.toThrow(
    /countersign\.json:1:\d+: http has an unknown key "prot"/,
  )
})
