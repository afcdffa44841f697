// The specification's own tests against a real web server: those that need no tools of their own making, with resources and
// prompts of the names that they ask for.
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { createCountersign } from '../../../server/index.ts'
import { casesOf } from '../../full.ts'
import { atEnd, place } from '../at-end.ts'
import { conformance } from '../conformance.ts'

/**
 * Scenarios by the version of the protocol that their client speaks, and those of every run. `server-stateless` is left out: it
 * wants a tool that demands the capability `sampling`, which none of ours does.
 */
const versions = [
  {
    version: '2025-11-25',
    all: [
      'server-initialize',
      'ping',
      'tools-list',
      'resources-list',
      'resources-read-text',
      'resources-read-binary',
      'resources-templates-read',
      'prompts-list',
      'prompts-get-simple',
      'prompts-get-with-args',
      'completion-complete',
      'dns-rebinding-protection',
      'server-sse-multiple-streams',
    ],
    usual: ['server-initialize', 'tools-list', 'server-sse-multiple-streams'],
  },
  {
    version: '2026-07-28',
    all: [
      'tools-list',
      'resources-list',
      'resources-read-text',
      'resources-read-binary',
      'resources-templates-read',
      'prompts-list',
      'prompts-get-simple',
      'prompts-get-with-args',
      'completion-complete',
      'sep-2164-resource-not-found',
      'dns-rebinding-protection',
      'caching',
      'http-header-validation',
      'input-required-result-unsupported-methods',
    ],
    usual: ['sep-2164-resource-not-found', 'dns-rebinding-protection', 'caching'],
  },
]

const made = () =>
  createCountersign({
    store: join(place(), 'conformance.db'),
    principalOf: () => ({ tenant: 'default', subject: 'suite' }),
    tools: [],
    resources: [
      { uri: 'test://static-text', name: 'text', mimeType: 'text/plain', read: () => 'A text that stays.' },
      {
        uri: 'test://static-binary',
        name: 'picture',
        mimeType: 'image/png',
        read: () => new Uint8Array([137, 80, 78, 71]),
      },
      {
        uriTemplate: 'test://template/{id}/data',
        name: 'data',
        mimeType: 'application/json',
        read: ({ variables }) => JSON.stringify({ id: variables['id'] }),
      },
    ],
    prompts: [
      { name: 'test_simple_prompt', description: 'A prompt.', get: () => 'A simple prompt.' },
      {
        name: 'test_prompt_with_arguments',
        description: 'A prompt of two words.',
        arguments: [
          { name: 'arg1', required: true, complete: () => ['one'] },
          { name: 'arg2', required: true },
        ],
        get: ({ arg1, arg2 }) => `Say ${arg1} and ${arg2}.`,
      },
    ],
  })

let mcp: string

beforeAll(async () => {
  const web = await made().http({ port: 0 })
  atEnd(() => web.close())
  mcp = web.mcpUrl
})

describe.each(versions)('with a client of $version', ({ version, all, usual }) => {
  test.each(casesOf(all, (name) => name, usual))('the web server conforms to the scenario %s', async (scenario) => {
    const { code, output } = await conformance([
      'server',
      '--url',
      mcp,
      '--spec-version',
      version,
      '--scenario',
      scenario,
    ])
    expect(output).toMatch(/Passed: [1-9]\d*\/\d+, 0 failed/)
    expect(output).not.toMatch(/[1-9]\d* warnings/)
    expect(code).toBe(0)
  })
})
