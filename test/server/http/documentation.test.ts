// The documentation at the web door: pages and files as a browser asks for them, and what is said where there are none.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { fail, ok, type Result } from '../../../server/errors/result.ts'
import type { DocumentationOptions } from '../../../server/http/documentation.ts'
import { openWebDoor } from '../../../server/http/playground/web-door.ts'

let folder: string
let assets: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-docs-'))
  assets = join(folder, 'docs')
  mkdirSync(join(assets, 'assets'), { recursive: true })
  mkdirSync(join(assets, 'guides'))
  writeFileSync(join(folder, 'secret.html'), 'not a page')
  writeFileSync(join(assets, 'index.html'), '<h1>Home</h1>')
  writeFileSync(join(assets, '404.html'), '<h1>No such page</h1>')
  writeFileSync(join(assets, 'guides', 'tutorial.html'), '<h1>Tutorial</h1>')
  writeFileSync(join(assets, 'assets', 'app.1.js'), '// app')
})
afterAll(() => rmSync(folder, { recursive: true }))

/** A web door that asks everybody for a secret, with this documentation. */
async function served(documentation?: DocumentationOptions): Promise<(path: string) => Promise<Response>> {
  const door = await openWebDoor({
    port: 0,
    mcp: async () => Response.json({}),
    secret: { value: 'a-secret-of-some-length', forCallers: true },
    ...(documentation === undefined ? {} : { documentation }),
  })
  if (!door.ok) throw new Error(door.failure.message)
  onTestFinished(() => door.value.close())
  expect(door.value.docsUrl).toBe(documentation === undefined ? undefined : `${door.value.url}/docs/`)
  return (path) => fetch(`${door.value.url}${path}`)
}

test('pages have addresses without an ending, and nobody needs a secret for them', async () => {
  const get = await served({ assets })
  expect(await (await get('/docs')).text()).toBe('<h1>Home</h1>')
  const page = await get('/docs/guides/tutorial')
  expect([page.status, await page.text()]).toStrictEqual([200, '<h1>Tutorial</h1>'])
  expect(page.headers.get('cache-control')).toBe('no-cache')
  const policy = page.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("script-src 'self';")
  expect(policy).toContain("connect-src 'self';")
  expect(policy).not.toContain('unsafe')
})

test('files with the hash of their content are kept for good', async () => {
  const get = await served({ assets })
  const file = await get('/docs/assets/app.1.js')
  expect([file.status, file.headers.get('cache-control')]).toStrictEqual([200, 'public, max-age=31536000, immutable'])
  expect((await get('/docs/assets/app.0.js')).status).toBe(404)
})

test.each([
  '/docs/guides/nothing',
  '/docs/..%2fsecret',
  '/docs/%2e%2e%2fsecret.html',
  '/docs/guides%5c..%5c..%5csecret',
])('%s is the page for what is not there', async (path) => {
  const get = await served({ assets })
  const page = await get(path)
  expect(page.status).toBe(404)
  expect(await page.text()).toBe('<h1>No such page</h1>')
})

test('a page that is being built says so, and is there once it is', async () => {
  const later = join(folder, 'later')
  let finish: ((end: Result<void, { message: string; next: string }>) => void) | undefined
  let asked = 0
  const build = () => {
    asked += 1
    return new Promise<Result<void, { message: string; next: string }>>((resolve) => (finish = resolve))
  }
  const get = await served({ assets: later, build })
  const waiting = await get('/docs/')
  expect(waiting.status).toBe(503)
  expect(await waiting.text()).toContain('http-equiv="refresh"')
  await get('/docs/guides/tutorial')
  mkdirSync(later)
  writeFileSync(join(later, 'index.html'), '<h1>Home</h1>')
  finish?.(ok(undefined))
  await expect.poll(async () => (await get('/docs/')).status).toBe(200)
  expect(asked).toBe(1)
})

test.each([
  ['was not built', undefined, 'npm run build:docs'],
  ['cannot be built', () => Promise.resolve(fail({ message: 'A link is dead.', next: 'Mend it.' })), 'A link is dead.'],
])('documentation that %s says what to do', async (_, build, said) => {
  const get = await served({ assets: join(folder, 'never'), build })
  await expect.poll(async () => (await get('/docs/')).text()).toContain(said)
  expect((await get('/docs/')).status).toBe(503)
})

test('documentation whose build has failed is there once somebody has built it', async () => {
  const mended = join(folder, 'mended')
  const get = await served({
    assets: mended,
    build: () => Promise.resolve(fail({ message: 'A link is dead.', next: 'Mend it.' })),
  })
  await expect.poll(async () => (await get('/docs/')).text()).toContain('A link is dead.')
  mkdirSync(mended)
  writeFileSync(join(mended, 'index.html'), '<h1>Home</h1>')
  expect((await get('/docs/')).status).toBe(200)
})

test('a server without it has nothing there', async () => {
  const get = await served()
  expect((await get('/docs/')).status).toBe(404)
})
