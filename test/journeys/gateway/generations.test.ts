// Which generation of the protocol a server behind speaks is found out from what it answers, and not from its settings. These are
// the kinds that are not the SDK's own: by hand, a line at a time.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { agentHere } from '../in-process.ts'
import { place } from '../at-end.ts'
import { fixture } from '../processes.ts'
import { eventually, wrapLine } from './modern-notes.ts'
import type { Entry } from './reach.ts'

/** A server that behaves as its kind, and writes down each method that it hears, and its own starts. */
function byHand(kind: string): { readonly entry: Entry; readonly heard: () => readonly string[] } {
  const file = join(place(), 'heard')
  return {
    entry: { command: process.execPath, args: [...fixture('by-hand-server'), kind, file] },
    heard: () => readFileSync(file, 'utf8').trim().split('\n'),
  }
}

test('one that answers server/discover is never told initialize', async () => {
  const { entry, heard } = byHand('modern')
  const agent = await agentHere(wrapLine(entry))
  expect((await agent.call('get_hello')).text).toContain('hello in 2026-07-28')
  expect(heard().slice(0, 3)).toEqual(['started', 'server/discover', 'tools/list'])
  expect(heard()).not.toContain('initialize')
})

test('one that answers server/discover with an error is told initialize, and asked for nothing newer', async () => {
  const { entry, heard } = byHand('older')
  const agent = await agentHere(wrapLine(entry))
  expect((await agent.call('get_hello')).text).toContain('hello in 2025-11-25')
  expect(heard().slice(0, 3)).toEqual(['started', 'server/discover', 'initialize'])
})

test('one that never answers what comes before initialize is told that all the same', async () => {
  const { entry, heard } = byHand('silent')
  const agent = await agentHere(wrapLine(entry))
  expect((await agent.call('get_hello')).text).toContain('hello in 2025-11-25')
  expect(heard().filter((line) => line === 'started')).toHaveLength(1)
})

test('one that ends where anything comes before initialize is started again and not asked', async () => {
  const { entry, heard } = byHand('ends')
  const agent = await agentHere(wrapLine(entry))
  expect((await agent.call('get_hello')).text).toContain('hello in 2025-11-25')
  expect(heard().slice(0, 4)).toEqual(['started', 'server/discover', 'started', 'initialize'])
})

test('a slow one of 2026-07-28 is not started twice, though it is told initialize meanwhile', async () => {
  const { entry, heard } = byHand('slow')
  const agent = await agentHere(wrapLine(entry))
  expect((await agent.call('get_hello')).text).toContain('hello in 2026-07-28')
  expect(heard().slice(0, 3)).toEqual(['started', 'server/discover', 'initialize'])
  expect(heard().filter((line) => line === 'started')).toHaveLength(1)
})

test('one of a version that nobody here speaks is down, and says which versions it has', async () => {
  const agent = await agentHere(wrapLine(byHand('newer').entry))
  await eventually(() => agent.stderr().includes('2031-01-01'))
  expect(agent.stderr()).toContain('it speaks MCP 2031-01-01, and this one 2026-07-28 and older versions')
})

test('one that answers a call with what is no result is told apart from one that has done its work', async () => {
  const agent = await agentHere(wrapLine(byHand('nonsense').entry))
  const reply = await agent.call('get_hello')
  expect(reply.isError).toBe(true)
  expect(reply.text).toContain('answered what is not MCP')
})
