// `countersign eval` as it is typed: what it prints, where, and with which exit code.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { packageRoot } from '../../../server/package-root.ts'
import { place } from '../../journeys/at-end.ts'
import { startHere } from '../../journeys/in-process.ts'
import { start } from '../../journeys/processes.ts'
import { runCommand } from '../../journeys/terminal.ts'
import { eventually } from '../../eventually.ts'
import { startModelServer, type ModelServer, type Trouble } from '../eval/model-server.ts'
import * as models from '../eval/models.ts'

const key = 'sk-test-0123456789-secret'
const env = { OPENAI_API_KEY: key, ANTHROPIC_API_KEY: key }

/** One short case, once. */
const short = ['--only', 'one-field', '--runs', '1', '--coaching', 'full']

const evaluate = (server: Pick<ModelServer, 'openai'>, ...more: readonly string[]) =>
  runCommand(['eval', '--model', 'scripted', '--base-url', server.openai, ...more], { env })

/** A server that answers with this status and body. */
const answering =
  (status: number, body: string, type = 'application/json'): Trouble =>
  (_, response) => {
    response.writeHead(status, { 'content-type': type }).end(body)
    return true
  }

describe('a model that does all right', () => {
  test('passes: the tables and the verdict on stdout, what it will send before the start', async () => {
    const { code, stdout, stderr } = await evaluate(await startModelServer(models.perfect), '--runs', '1')
    expect(stdout).toMatch(/^Repeats exactly +8\/8 +100 % +68–100 % +passed$/m)
    expect(stdout).toMatch(/^nested +1\/1/m)
    expect(stdout).toMatch(/^no-instructions +3 /m)
    expect(stdout).toMatch(/^29 of 29 chats, 76 requests, \d+ tokens in and \d+ out\.\nscripted passes\.\n$/m)
    expect(stderr).toMatch(/^scripted \(openai\): 29 chats, about 76 requests \(at most 172\)/)
    expect(code).toBe(0)
  })

  test('prints the same as JSON and as YAML, and as a page', async () => {
    const server = await startModelServer(models.perfect)
    const page = join(place(), 'report.html')
    const { code, stdout } = await evaluate(server, ...short, '--json', '--html', page)
    const report = JSON.parse(stdout) as Record<string, unknown>
    expect(code).toBe(0)
    expect(report).toMatchObject({
      model: 'scripted',
      provider: 'openai',
      base_url: server.openai,
      passed: true,
      chats: { played: 1, planned: 1 },
      requests: 3,
      exact_by_size: [{ size: 'one field', right: 1, of: 1, rate: 1 }],
      failures: [],
    })
    const yaml = parse((await evaluate(server, ...short, '-o', 'yaml')).stdout) as Record<string, unknown>
    const { at: _, tokens: __, ...rest } = report
    expect(yaml).toMatchObject(rest)
    const html = readFileSync(page, 'utf8')
    expect(html).toContain('scripted passes.')
    expect(html).not.toMatch(/<script|https?:\/\/(?!127\.0\.0\.1)/)
  })

  test('is asked at the address of the environment where the command line names none', async () => {
    const server = await startModelServer(models.perfect)
    const at = { ...env, ANTHROPIC_BASE_URL: server.anthropic }
    const { code, stdout } = await runCommand(['eval', '--model', 'claude-x', ...short, '--json'], { env: at })
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { provider: 'anthropic', base_url: server.anthropic }])
  })

  test('is asked with the key of the environment, which stands nowhere else', async () => {
    const server = await startModelServer(models.perfect)
    const page = join(place(), 'report.html')
    const { stdout, stderr } = await evaluate(server, ...short, '--json', '--html', page)
    expect([...server.keys]).toEqual([`Bearer ${key}`])
    expect(stdout + stderr + readFileSync(page, 'utf8')).not.toContain(key)
  })
})

test('a model that errs does not pass: exit code 1, what went wrong, and the page says it without obeying it', async () => {
  const server = await startModelServer((asked) => {
    const reply = models.narrates(asked)
    return reply.text === undefined ? reply : { ...reply, text: `<script>alert(1)</script>${reply.text}` }
  })
  const page = join(place(), 'report.html')
  const { code, stdout } = await evaluate(server, ...short, '--html', page)
  expect(code).toBe(1)
  expect(stdout).toContain('scripted does not pass: “Does not narrate”.')
  expect(stdout).toMatch(/got: {6}309 characters: “<script>alert/)
  const html = readFileSync(page, 'utf8')
  expect(html).toContain('&lt;script&gt;alert(1)')
  expect(html).not.toContain('<script')
})

test('a threshold of the command line is the one that counts', async () => {
  const server = await startModelServer(models.narrates)
  expect((await evaluate(server, ...short, '--min-quiet', '0.5')).code).toBe(0)
  expect((await evaluate(server, ...short, '--min-quiet', '0.6')).code).toBe(1)
})

test('a server that is busy for a moment is asked again', async () => {
  let requests = 0
  const server = await startModelServer(models.perfect, (request, response) => {
    requests += 1
    if (requests > 1) return false
    response.setHeader('retry-after-ms', '1')
    return answering(429, '{"error":{"message":"slow down"}}')(request, response)
  })
  const { code } = await evaluate(server, ...short)
  expect([code, requests]).toEqual([0, 4])
})

describe('nothing is printed but one sentence, with exit code 2,', () => {
  const refused = async (given: Promise<{ code: number | null; stdout: string; stderr: string }>): Promise<string> => {
    const { code, stdout, stderr } = await given
    expect([code, stdout]).toEqual([2, ''])
    return stderr.split('\n').at(-2) ?? ''
  }
  const asks = async (trouble: Trouble): Promise<string> =>
    refused(evaluate(await startModelServer(models.perfect, trouble), ...short))

  test('where there is no key', async () => {
    expect(await refused(runCommand(['eval', '--model', 'claude-opus-4-5']))).toBe(
      'countersign: ANTHROPIC_API_KEY is not set. Set it to the key of the API.',
    )
  })

  test('where it cannot be told whose API it is', async () => {
    expect(await refused(runCommand(['eval', '--model', 'llama'], { env }))).toBe(
      'countersign: Whose API it is cannot be told from llama. Say it: --provider openai, or anthropic.',
    )
  })

  test('where nobody answers', async () => {
    expect(await refused(evaluate({ openai: 'http://127.0.0.1:1/v1' }, ...short))).toBe(
      'countersign: http://127.0.0.1:1/v1 cannot be reached. Check --base-url and the network.',
    )
  })

  test('where there is no such model', async () => {
    expect(await asks(answering(404, '{"error":{"message":"no such model"}}'))).toMatch(
      /has no model scripted \(HTTP 404\)\. Check --model/,
    )
  })

  test('where the key is refused, which the server quotes', async () => {
    const said = await asks(answering(401, `{"error":{"message":"Incorrect API key: ${key}"}}`))
    expect(said).toMatch(/refuses the key \(HTTP 401\)\. Set OPENAI_API_KEY to a key that may use scripted\.$/)
    expect(await asks(answering(400, `{"error":{"message":"${key} may not do this"}}`))).toMatch(
      /refused a request \(HTTP 400\): 400 … may not do this/,
    )
  })

  test.each<[string, Trouble]>([
    ['a page', answering(200, '<html>Sign in</html>', 'text/html')],
    ['broken JSON', answering(200, '{"choices":')],
    ['other JSON', answering(200, '{"ok":true}')],
    ['nothing to choose from', answering(200, '{"choices":[]}')],
  ])('where the answer is %s', async (_, trouble) => {
    expect(await asks(trouble)).toMatch(/answered something that is no answer of the OpenAI API\. Check --base-url/)
  })

  test.each<[string, readonly string[], RegExp]>([
    ['a case that is none', ['--only', 'one-feld'], /There is no case one-feld\. There are: one-field, flat/],
    ['a coaching that is none', ['--coaching', 'all'], /There is no coaching all\. There are: full,/],
    ['a page that cannot be written', ['--html', '/nowhere/report.html'], /cannot be written \(ENOENT\)/],
  ])('of %s', async (_, more, says) => {
    expect(await refused(evaluate({ openai: 'http://127.0.0.1:1/v1' }, ...more))).toMatch(says)
  })

  test.each<[string, readonly string[], string]>([
    ['no model', [], "required option '--model <name>' not specified"],
    ['no runs', ['--model', 'gpt-5', '--runs', '0'], 'Give a whole number from 1 to 1000.'],
    ['a threshold above 1', ['--model', 'gpt-5', '--min-exact', '95'], 'Give a number from 0 to 1.'],
    ['an address that is none', ['--model', 'gpt-5', '--base-url', 'localhost'], 'Give an http or https address'],
    ['a password in the address', ['--model', 'gpt-5', '--base-url', 'http://u:p@h/v1'], 'A key does not belong'],
  ])('of %s', async (_, args, says) => {
    const { code, stdout, stderr } = await runCommand(['eval', ...args], { env })
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(says)
  })
})

test('more chats than the usual bounds allow are not begun where nobody has named other bounds', async () => {
  const server = await startModelServer(models.perfect)
  const { code, stderr } = await evaluate(server, '--runs', '20')
  expect([code, server.asked.length]).toEqual([2, 0])
  expect(stderr).toMatch(/about \d+ requests .* or give --max-requests \d+ --max-total-tokens \d+\./s)
})

describe('what is known is printed, and it does not pass,', () => {
  test('where the bound of requests is reached', async () => {
    const server = await startModelServer(models.perfect)
    const { code, stdout } = await evaluate(server, '--runs', '1', '--concurrency', '1', '--max-requests', '4')
    expect([code, server.asked.length]).toEqual([1, 4])
    expect(stdout).toContain('1 of 29 chats, 4 requests')
    expect(stdout).toContain('scripted: not complete, because 4 requests are sent, which is the bound.')
  })

  test('where the bound of tokens is reached', async () => {
    const server = await startModelServer(models.perfect)
    const { code, stdout } = await evaluate(server, '--runs', '1', '--concurrency', '1', '--max-total-tokens', '1')
    expect([code, server.asked.length]).toEqual([1, 1])
    expect(stdout).toContain('because 1 tokens are used, which is the bound.')
  })

  test('where the person interrupts it', async () => {
    let requests = 0
    // The fourth is never answered.
    const server = await startModelServer(models.perfect, () => (requests += 1) > 3)
    const args = ['eval', '--model', 'scripted', '--base-url', server.openai, '--concurrency', '1', '--json']
    const running = startHere(args, { env })
    await eventually(() => expect(requests).toBe(4))
    const { code, stdout } = await running.end()
    expect([code, JSON.parse(stdout)]).toMatchObject([
      1,
      { passed: false, stopped: 'it was interrupted', chats: { played: 1 }, requests: 4 },
    ])
  })

  test('where the model answers no more, with exit code 2', async () => {
    let requests = 0
    const server = await startModelServer(models.perfect, (request, response) =>
      (requests += 1) > 3 ? answering(403, '{}')(request, response) : false,
    )
    const { code, stdout, stderr } = await evaluate(server, '--concurrency', '1', '--json')
    expect([code, JSON.parse(stdout)]).toMatchObject([2, { passed: false, chats: { played: 1 } }])
    expect(stderr).toMatch(/refuses the key/)
  })
})

test('the help of the program loads nothing of it', async () => {
  const recorder = join(place(), 'recorder.mjs')
  writeFileSync(
    recorder,
    `import { registerHooks } from 'node:module'
     registerHooks({ load(url, context, next) { process.stderr.write(url + '\\n'); return next(url, context) } })`,
  )
  const program = join(packageRoot(), 'server', 'cli', 'countersign.ts')
  const { stdout, stderr } = await start(['--no-warnings', '--import', recorder, program, '--help']).ended
  expect(stdout).toContain('eval')
  const loaded = stderr.split('\n')
  expect(loaded.filter((url) => url.endsWith('/server/cli/main.ts'))).toHaveLength(1)
  expect(loaded.filter((url) => /\/server\/eval\/|\/openai\/|@anthropic-ai\//.test(url))).toEqual([])
})
