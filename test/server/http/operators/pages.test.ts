// One page for every address below /admin, its files for good, and headers that let nobody frame it.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Hono } from 'hono'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createAdminPages } from '../../../../server/http/operators/admin-pages.ts'
import { listen } from '../../../../server/http/listen.ts'
import { place } from '../../store/store-fixture.ts'

const html = '<!doctype html><title>Countersign</title>'

/** A build of the pages, as Vite leaves it. */
const built = (): string => {
  const folder = place()
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), html)
  writeFileSync(join(folder, 'assets', 'index-abc123.js'), 'export const n = 1')
  writeFileSync(join(folder, 'secret.txt'), 'not for the web')
  return folder
}

/** Mounted as the web door mounts it, behind a listener of its own. */
const open = async (assets: string) => {
  const app = new Hono().route('/admin', createAdminPages(assets))
  const listening = await listen({ app, port: 0 })
  if (!listening.ok) throw new Error(listening.failure.message)
  onTestFinished(() => listening.value.close())
  return (path: string, method = 'GET') => fetch(`${listening.value.url}${path}`, { method })
}

describe('the pages', () => {
  test('are one page at every address, never kept by the browser', async () => {
    const ask = await open(built())
    for (const path of [
      '/admin',
      '/admin/approvals',
      '/admin/approvals/ap_0123456789abcdef',
      '/admin/tools/files:x%2Fy',
    ]) {
      const response = await ask(path)
      expect([path, response.status, await response.text()]).toStrictEqual([path, 200, html])
      expect(response.headers.get('cache-control')).toBe('no-store')
    }
  })

  test('cannot be framed, and run nothing but their own files', async () => {
    const ask = await open(built())
    const policy = (await ask('/admin')).headers.get('content-security-policy') ?? ''
    for (const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "frame-ancestors 'none'",
      "frame-src 'none'",
      "base-uri 'none'",
      "form-action 'none'",
    ])
      expect(policy).toContain(rule)
    expect(policy).not.toContain('unsafe')
    expect((await ask('/admin/assets/index-abc123.js')).headers.get('content-security-policy')).toBe(policy)
  })

  test('have files that a browser keeps for good, and no others', async () => {
    const ask = await open(built())
    const file = await ask('/admin/assets/index-abc123.js')
    expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(await file.text()).toBe('export const n = 1')
    const missing = await ask('/admin/assets/index-old.js')
    expect(missing.status).toBe(404)
    expect(await missing.text()).not.toContain('<')
    for (const path of [
      '/admin/assets/../secret.txt',
      '/admin/assets/%2e%2e/secret.txt',
      '/admin/assets/..%2fsecret.txt',
    ])
      expect(await (await ask(path)).text()).not.toContain('not for the web')
  })

  test('take nothing: a program that still posts there is told where the API is', async () => {
    const ask = await open(built())
    const response = await ask('/admin/approvals/ap_0123456789abcdef/approve', 'POST')
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('GET, HEAD')
    expect(await response.text()).toContain('/api/v1')
  })

  test('that were never built say so, with the command that builds them', async () => {
    const ask = await open(place())
    const response = await ask('/admin/approvals')
    expect(response.status).toBe(503)
    expect(await response.text()).toContain('npm run build')
  })
})
