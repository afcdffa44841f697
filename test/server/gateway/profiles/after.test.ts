// Whether a call whose answer was lost took effect: only what a read of the same server surely shows counts.
import { expect, test } from 'vitest'
import { ok } from '../../../../server/errors/result.ts'
import { verifiedBy } from '../../../../server/gateway/profiles/after.ts'
import { readProfile } from '../../../../server/gateway/profiles/read-profile.ts'
import type { UpstreamTool } from '../../../../server/gateway/contract/upstream-contracts.ts'
import type { WriteContract } from '../../../../server/tools/contract.ts'

type Context = Parameters<NonNullable<WriteContract['reconcile']>>[1]
const context = { signal: new AbortController().signal } as unknown as Context
const inputSchema = { type: 'object', properties: { path: {}, content: {} } }

/** What is found out about a call, where the read after it answers so; and the reads that were made. */
async function found(after: string, input: object, answer: object, whyNot?: string) {
  const read = readProfile(
    `
profile: 1
name: files
title: Files
match: { command: [files] }
tools:
  read: read
  write:
    operation: destructive
    risk: high
    after: { call: read, with: { path: '{path}' }, ${after} }
tested: [{ version: '1', definitions: {} }]`,
    'files.yaml',
  )
  if (!read.ok) throw new Error(JSON.stringify(read.failure))
  const calls: unknown[] = []
  const upstream = {
    name: 'files',
    callTool: async (tool: string, args: object) => {
      calls.push([tool, args])
      return ok(answer)
    },
  }
  const definition = { name: 'write', inputSchema }
  const tool = { upstream, profile: read.value.tools['write'], definition } as unknown as UpstreamTool
  const outcome = await verifiedBy(tool, async () => whyNot).reconcile?.(input, context)
  return { kind: outcome?.kind, calls }
}

const text = (said: string, more: object = {}) => ({ content: [{ type: 'text', text: said }], ...more })
const equals = "equals: '{content}'"
const contains = "contains: '{content}'"
const below = `of: /file/text, ${equals}`

test.each<readonly [string, string, object, object]>([
  ['that is what was written', equals, { path: 'a', content: 'one' }, text('one')],
  ['that is empty, as it was written', equals, { path: 'a', content: '' }, text('')],
  ['that holds it', contains, { path: 'a', content: 'one' }, text('one two')],
  ['that has it in its place', below, { path: 'a', content: 'one' }, text('{"file":{"text":"one"}}')],
])('an answer %s shows that the call took effect', async (_, after, input, answer) => {
  expect(await found(after, input, answer)).toStrictEqual({ kind: 'applied', calls: [['read', { path: 'a' }]] })
})

test.each<readonly [string, string, object, object]>([
  ['says something else', equals, { path: 'a', content: 'one' }, text('two')],
  ['is an error that says the same', equals, { path: 'a', content: 'one' }, text('one', { isError: true })],
  ['lacks the place that is looked at', below, { path: 'a', content: '' }, text('{"file":{}}')],
  ['holds nothing, as any answer does', contains, { path: 'a', content: '' }, text('one')],
  ['cannot be compared with what the call lacks', equals, { path: 'a' }, text('undefined')],
])('nobody knows where the answer %s', async (_, after, input, answer) => {
  expect((await found(after, input, answer)).kind).toBe('unknown')
})

test.each([
  [{ path: 'a', Path: 'b', content: 'one' }],
  [{ path: 'a', file_path: 'b', content: 'one' }],
  [{ path: 'a', content: 'one', Content: 'two' }],
])('where a call says one thing by two names, nothing is read that only seems to be about it: %j', async (input) => {
  expect(await found(equals, input, text('one'))).toStrictEqual({ kind: 'unknown', calls: [] })
})

test('what is no read is not called for it', async () => {
  const { kind, calls } = await found(equals, { path: 'a', content: 'one' }, text('one'), 'read would not only read.')
  expect([kind, calls]).toStrictEqual(['unknown', []])
})
