// What a profile says of its server's errors: its words go before the general ones, and the read that it proposes is there
// only where it could be made as it stands.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readProfile } from '../../../../server/gateway/profiles/read-profile.ts'
import { checkAgainst } from '../../../../server/gateway/profiles/check-against.ts'
import { upstreamTools } from '../../../../server/gateway/contract/upstream-contracts.ts'
import { pinTools } from '../../../../server/gateway/upstream/definitions/pins.ts'
import type { Profile } from '../../../../server/gateway/profiles/profile.schema.ts'
import type { PinStore } from '../../../../server/model/pins.ts'
import { runsOf } from '../../../full.ts'
import { createStage } from '../../rail/rail-fixture.ts'
import { newFolder, officialServer, startOne } from '../servers.ts'

const root = new URL('../../../../', import.meta.url).pathname
const forgetful: PinStore = { get: async () => [], put: async () => undefined, accept: async () => false }

const profileFrom = (text: string): Profile => {
  const read = readProfile(text, 'files.yaml')
  if (!read.ok) throw new Error(read.failure.map(({ message }) => message).join('\n'))
  return read.value
}
const shipped = (name: string): Profile => profileFrom(readFileSync(`${root}profiles/${name}.yaml`, 'utf8'))

/** The real server of files with this profile, without a tool that its operator has switched off. */
async function files(profile: Profile, off?: string) {
  const folder = newFolder()
  const upstream = await startOne(officialServer('filesystem', [folder]))
  return { folder, ...(await behind(upstream, profile, off)) }
}

const calls = (fix: readonly { readonly kind: string }[] | undefined) =>
  (fix ?? []).filter(({ kind }) => kind === 'call_tool')

test('a read that its profile proposes can be made as it stands', async () => {
  const { folder, stage } = await files(shipped('filesystem'))
  const answer = await stage.ask('read_text_file', { path: '/elsewhere' })
  expect(answer.guidance).toMatchObject({
    error_type: 'upstream_path_not_allowed',
    evidence: { rule: 'profile.filesystem.outside' },
    actionable_guidance: ['Take a path below one of the allowed folders; only the person can allow another one.'],
  })
  const [fix] = calls(answer.guidance?.fix) as unknown as [{ tool: string; arguments: object }]
  const made = await stage.send(fix.tool, fix.arguments)
  expect(JSON.stringify(made.result)).toContain(folder)
})

test('a proposed read takes arguments of the call that failed', async () => {
  const { folder, stage } = await files(shipped('filesystem'))
  const path = join(folder, 'a.txt')
  writeFileSync(path, 'something else')
  const answer = await stage.ask('edit_file', { path, edits: [{ oldText: 'not there', newText: 'x' }] })
  expect(calls(answer.guidance?.fix)).toMatchObject([{ tool: 'read_text_file', arguments: { path } }])
})

const withFix = (fix: string): Profile =>
  profileFrom(
    readFileSync(`${root}profiles/filesystem.yaml`, 'utf8').replace(
      /errors:[\s\S]*?\ntested:/,
      `errors:\n  - { id: any, matches: '.', class: upstream_not_found, fix: ${fix} }\ntested:`,
    ),
  )

test('a proposed read is left out where its tool is switched off, or it would not take these arguments', async () => {
  const off = await files(shipped('filesystem'), 'list_allowed_directories')
  expect(calls((await off.stage.ask('read_text_file', { path: '/elsewhere' })).guidance?.fix)).toStrictEqual([])
  const wrong = await files(withFix("{ call: list_directory, with: { path: 5 }, why: 'It lists.' }"))
  expect(calls((await wrong.stage.ask('read_text_file', { path: '/elsewhere' })).guidance?.fix)).toStrictEqual([])
})

test('whatever a profile proposes with whatever arguments: what is told is a call that its tool takes', async () => {
  const names = [
    'list_directory',
    'read_text_file',
    'search_files',
    'write_file',
    'move_file',
    'list_allowed_directories',
  ]
  const value = fc.oneof(fc.constant('{path}'), fc.constant('{head}'), fc.integer(), fc.boolean(), fc.constant('x'))
  const given = fc.dictionary(fc.constantFrom('path', 'pattern', 'head', 'other'), value, { maxKeys: 3 })
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...names), given, async (call, args) => {
      const may = ['list_directory', 'read_text_file', 'search_files', 'list_allowed_directories'].includes(call)
      const text = `{ call: ${call}, with: ${JSON.stringify(args)}, why: 'It helps.' }`
      if (!may) {
        expect(() => withFix(text)).toThrow('which writes')
        return
      }
      const { stage, tools } = await shared(withFix(text))
      const answer = await stage.ask('read_text_file', { path: '/elsewhere' })
      for (const fix of calls(answer.guidance?.fix) as unknown as {
        tool: string
        arguments: Record<string, unknown>
      }[]) {
        const { rationale, ...own } = fix.arguments
        expect(rationale).toBe('It helps.')
        expect(tools.find(({ definition }) => definition.name === fix.tool)?.check(own).errors).toStrictEqual([])
      }
    }),
    { numRuns: runsOf(25) },
  )
})

/** One server for all runs; only the profile differs. */
let running: ReturnType<typeof startOne> | undefined
async function shared(profile: Profile) {
  const upstream = await (running ??= startOne(officialServer('filesystem', [newFolder()])))
  return behind(upstream, profile)
}

async function behind(upstream: Awaited<ReturnType<typeof startOne>>, profile: Profile, off?: string) {
  const listed = upstream.tools().tools.filter(({ name }) => name !== off)
  const pinned = await pinTools(upstream.name, listed, forgetful)
  const known = { profile, lowers: true, by: 'its package' }
  const tools = upstreamTools(upstream, pinned, { known, wireName: (tool) => tool })
  return { stage: await createStage(tools.map((tool) => tool.contract(tool.callWith))), tools }
}

test('what is wrong with the errors of a profile is named by its place', () => {
  const problems = (errors: string): string => {
    const read = readProfile(
      `profile: 1\nname: notes\ntitle: Notes\nmatch: { npm: [notes] }\ntools: { get_note: read, put_note: { operation: write, risk: low } }\nerrors:\n${errors}\ntested: [{ version: '1', definitions: {} }]\n`,
      'notes.yaml',
    )
    return read.ok ? '' : read.failure.map(({ message, next }) => `${message} ${next}`).join('\n')
  }
  const one = (more: string): string => `  - { id: gone, matches: gone, class: upstream_not_found${more} }`
  expect(problems(one(''))).toBe('')
  expect(problems(`${one('')}\n${one('')}`)).toMatch(/notes\.yaml:8:\d+: errors\.1\.id "gone" is used twice/)
  expect(problems(one(", fix: { call: put_note, why: 'x' }"))).toContain('calls "put_note", which writes')
  expect(problems(one(", fix: { call: get_notes, why: 'x' }"))).toContain('Did you mean "get_note"?')
  expect(problems(one(", fix: { call: get_note, with: { id: '{' }, why: 'x' }"))).toContain('is no template')
  expect(problems(one(', tools: [got_note]'))).toContain('which this profile does not have')
  expect(problems("  - { id: gone, matches: '(?=a)', class: upstream_not_found }")).toContain('RE2')
  expect(problems('  - { id: gone, matches: gone, class: not_found }')).toContain('errors.0.class')
})

test('errors that do not fit the tools of their server are named', () => {
  const profile = withFix("{ call: list_directory, with: { folder: '{nowhere}' }, why: 'It lists.' }")
  const listed = Object.keys(profile.tools).map((name) => ({
    name,
    inputSchema: { type: 'object' as const, properties: { path: {} }, required: ['path'] },
  }))
  expect(
    checkAgainst(profile, listed)
      .filter(({ path }) => path[0] === 'errors')
      .map(({ message }) => message),
  ).toStrictEqual([
    'list_directory takes no argument "folder".',
    'list_directory needs "path".',
    'No tool of which this error is takes an argument "nowhere".',
  ])
})
