// A start stops at the first package that is missing; `countersign doctor` names all that the settings need.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { place } from '../at-end.ts'
import { start } from '../processes.ts'

const program = join(import.meta.dirname, '..', '..', '..', 'server', 'cli', 'countersign.ts')

/** What the doctor says of packages, where these are not installed. */
async function doctor(without: readonly string[], settings: object, db: string) {
  const config = join(place(), 'countersign.json')
  writeFileSync(config, JSON.stringify(settings))
  const hook = join(place(), 'hook.mjs')
  writeFileSync(
    hook,
    `import { registerHooks } from 'node:module'
     const without = ${JSON.stringify(without)}
     registerHooks({
       resolve(name, context, next) {
         const own = without.find((each) => name === each || name.startsWith(each + '/'))
         if (own === undefined) return next(name, context)
         throw Object.assign(new Error(\`Cannot find package '\${own}' imported\`), { code: 'ERR_MODULE_NOT_FOUND' })
       },
     })`,
  )
  const line = ['--no-warnings', '--import', hook, program, 'doctor', '--config', config, '--db', db]
  const { child, ended } = start(line, { env: { COUNTERSIGN_SECRET: 's'.repeat(40), TOKEN: 't'.repeat(40) } })
  child.stdin?.end()
  const { code, stdout, stderr } = await ended
  const rows = stdout.split('\n')
  const first = rows.findIndex((row) => row.startsWith('  packages '))
  const after = rows.findIndex((row, at) => at > first && !/^ {17}\S/.test(row))
  return { code, stderr, packages: first === -1 ? [] : rows.slice(first, after).map((row) => row.slice(17)) }
}

const issuer = 'https://login.example.org'
const file = (): string => join(place(), 'notes.db')

test('each that the settings need and that is missing is named, with how to install it and what happens without it', async () => {
  const settings = {
    access: { mode: 'jwt', jwt: { issuer, tenant: 'us' } },
    metrics: { token: '${TOKEN}' },
    mail: { url: 'ses://eu-central-1', from: 'us@example.org' },
    files: { enabled: true, folder: 's3://bucket' },
  }
  const gone = ['jose', 'prom-client', '@aws-sdk/client-sesv2', '@aws-sdk/s3-request-presigner', 'otpauth', 'pg']
  const { code, packages } = await doctor(gone, settings, file())
  expect(packages).toStrictEqual([
    'The package jose, which access by tokens of an authorization server needs, is not installed. Run `npm install jose@6` beside Countersign. Without it the server does not start.',
    'The package prom-client, which counting for /metrics needs, is not installed. Run `npm install prom-client@15` beside Countersign. Without it the server does not start.',
    'The package otpauth, which a second factor needs, is not installed. Run `npm install otpauth@9` beside Countersign. Without it nobody can approve a mail that needs a second factor.',
    'The package @aws-sdk/client-sesv2, which mail by Amazon SES needs, is not installed. Run `npm install @aws-sdk/client-sesv2@3` beside Countersign. Without it the server does not start.',
    'The package @aws-sdk/s3-request-presigner, which a bucket for files needs, is not installed. Run `npm install @aws-sdk/s3-request-presigner@3` beside Countersign. Without it the server does not start.',
  ])
  expect(code).toBe(1)
})

test('what a server starts without is named, and the server is well', async () => {
  const { code, packages } = await doctor(['unbash', 'highlight.js', 'marked'], { mcpServers: {} }, file())
  expect(packages.map((text) => text.replace(/^The package (\S+), .*Countersign\. /, '$1: '))).toStrictEqual([
    'unbash: Without it each call with a line of a shell is critical.',
    'highlight.js: Without it cards show code plain.',
    'marked: Without it cards show Markdown plain.',
  ])
  expect(code).toBe(0)
})

test('the driver of a database is named before it is connected to, and nothing of what is not needed', async () => {
  const gone = ['pg', 'jose', 'marked', 'flydrive']
  const { packages } = await doctor(gone, {}, 'postgres://db.example.org/notes')
  expect(packages).toMatchObject([expect.stringContaining('The package pg, which a PostgreSQL database needs')])
  expect(await doctor(gone, {}, file())).toMatchObject({ code: 0, packages: [] })
})
