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

const filesIn = (folder: string) => startOne(officialServer('filesystem', [folder]))

/** The tools of a real server with this profile, without one that its operator has switched off. */
async function toolsOf(upstream: Awaited<ReturnType<typeof filesIn>>, profile: Profile, off?: string) {
  const listed = upstream.tools().tools.filter(({ name }) => name !== off)
  const pinned = await pinTools(upstream.name, listed, forgetful)
  return upstreamTools(upstream, pinned, {
    known: { profile, lowers: true, by: 'its package' },
    wireName: (tool) => tool,
  })
}

/** What may be called then, and how. */
const stageOf = async (...of: Parameters<typeof toolsOf>) =>
  createStage((await toolsOf(...of)).map((tool) => tool.contract(tool.callWith)))

const calls = (fix: readonly { readonly kind: string }[] | undefined) =>
  (fix ?? []).filter(({ kind }) => kind === 'call_tool')

test('a read that its profile proposes can be made as it stands, with arguments of the call that failed', async () => {
  const folder = newFolder()
  const stage = await stageOf(await filesIn(folder), shipped('filesystem'))
  const { guidance } = await stage.ask('read_text_file', { path: '/elsewhere' })
  expect(guidance).toMatchObject({
    error_type: 'upstream_path_not_allowed',
    evidence: { rule: 'profile.filesystem.outside' },
    actionable_guidance: ['Take a path below one of the allowed folders; only the person can allow another one.'],
  })
  const [fix] = calls(guidance?.fix) as unknown as [{ tool: string; arguments: object }]
  const made = await stage.send(fix.tool, fix.arguments)
  expect(JSON.stringify(made.result)).toContain(folder)
  const path = join(folder, 'a.txt')
  writeFileSync(path, 'something else')
  const edit = await stage.ask('edit_file', { path, edits: [{ oldText: 'not there', newText: 'x' }] })
  expect(calls(edit.guidance?.fix)).toMatchObject([{ tool: 'read_text_file', arguments: { path } }])
})

const withFix = (fix: string): Profile =>
  profileFrom(
    readFileSync(`${root}profiles/filesystem.yaml`, 'utf8').replace(
      /errors:[\s\S]*?\ntested:/,
      `errors:\n  - { id: any, matches: '.', class: upstream_not_found, fix: ${fix} }\ntested:`,
    ),
  )

test('a proposed read is left out where its tool is switched off, or it would not take these arguments', async () => {
  const upstream = await filesIn(newFolder())
  const proposed = async (...how: readonly [profile: Profile, off?: string]) => {
    const stage = await stageOf(upstream, ...how)
    return calls((await stage.ask('read_text_file', { path: '/elsewhere' })).guidance?.fix)
  }
  expect(await proposed(shipped('filesystem'))).toHaveLength(1)
  expect(await proposed(shipped('filesystem'), 'list_allowed_directories')).toStrictEqual([])
  expect(await proposed(withFix("{ call: list_directory, with: { path: 5 }, why: 'It lists.' }"))).toStrictEqual([])
})

test('whatever a profile proposes with whatever arguments: what is told is a call that its tool takes', async () => {
  const upstream = await filesIn(newFolder())
  let proposed = 0
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
      const tools = await toolsOf(upstream, withFix(text))
      const failed = { isError: true, content: [{ type: 'text', text: 'Access denied' }] }
      const reading = tools.find(({ definition }) => definition.name === 'read_text_file')
      const told = await reading?.contract('call_tool_read').reported?.(failed, { path: '/elsewhere' })
      const fix = told?.known?.fix
      if (fix === undefined) return
      proposed++
      expect(tools.find(({ definition }) => definition.name === fix.tool)?.check(fix.arguments).errors).toStrictEqual(
        [],
      )
    }),
    { numRuns: runsOf(25), examples: [['list_directory', { path: '{path}' }]] },
  )
  expect(proposed).toBeGreaterThan(0)
})

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
