// What a profile says of its server's errors: its words go before the general ones, and the read that it proposes is there
// only where it could be made as it stands.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readProfile } from '../../../../server/gateway/profiles/read-profile.ts'
import { checkAgainst } from '../../../../server/gateway/profiles/check-against.ts'
import {
  upstreamTools,
  type UpstreamTool,
  type UpstreamToolOptions,
} from '../../../../server/gateway/contract/upstream-contracts.ts'
import { pinTools } from '../../../../server/gateway/upstream/definitions/pins.ts'
import type { Profile } from '../../../../server/gateway/profiles/profile.schema.ts'
import type { PinStore } from '../../../../server/model/pins.ts'
import { runsOf } from '../../../full.ts'
import { call } from '../../../../server/rail/call.ts'
import { caller, requestOf } from '../../../kit/calls.ts'
import type { ErrorGuidance } from '../../../../server/errors/guidance.ts'
import { createStage } from '../../rail/rail-fixture.ts'
import { callToolsOf } from '../call-tools/call-tools-of.ts'
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
async function toolsOf(
  upstream: Awaited<ReturnType<typeof filesIn>>,
  profile: Profile,
  off?: string,
  names: Pick<UpstreamToolOptions, 'wireName'> = { wireName: (tool) => tool },
) {
  const listed = upstream.tools().tools.filter(({ name }) => name !== off)
  const pinned = await pinTools(upstream.name, listed, forgetful)
  return upstreamTools(upstream, pinned, {
    known: { profile, lowers: true, by: 'its package' },
    ...names,
  })
}

/** What may be called then, and how. */
const stageOf = async (...of: Parameters<typeof toolsOf>) =>
  createStage((await toolsOf(...of)).map((tool) => tool.contract(tool.callWith)))

const calls = (guidance: ErrorGuidance | undefined) => (guidance?.fix ?? []).filter(({ kind }) => kind === 'call_tool')

interface Told {
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
}

/** A call through the gateway's read door. */
async function behindDoor(tools: readonly UpstreamTool[], name: string, as = caller()) {
  const callTools = callToolsOf(tools)
  const { engine } = await createStage([])
  const given = { path: '/elsewhere' }
  const { arrival: _, ...request } =
    callTools.translate('call_tool_read', {
      name,
      args_json: JSON.stringify(given),
      intent: { operation_type: 'read' },
      rationale: 'A path that is not there.',
    }) ?? {}
  return call(engine, { ...requestOf(name, given, as), ...request })
}

test('a read that its profile proposes can be made as it stands, with arguments of the call that failed', async () => {
  const folder = newFolder()
  const stage = await stageOf(await filesIn(folder), shipped('filesystem'))
  const { guidance } = await stage.ask('read_text_file', { path: '/elsewhere' })
  expect(guidance).toMatchObject({
    error_type: 'upstream_path_not_allowed',
    evidence: { rule: 'profile.filesystem.outside' },
    actionable_guidance: ['Take a path below one of the allowed folders; only the person can allow another one.'],
  })
  const [fix] = calls(guidance) as unknown as [{ tool: string; arguments: object }]
  const made = await stage.send(fix.tool, fix.arguments)
  expect(JSON.stringify(made.result)).toContain(folder)
  const path = join(folder, 'a.txt')
  writeFileSync(path, 'something else')
  const edit = await stage.ask('edit_file', { path, edits: [{ oldText: 'not there', newText: 'x' }] })
  expect(calls(edit.guidance)).toMatchObject([{ tool: 'read_text_file', arguments: { path } }])
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
    return calls((await stage.ask('read_text_file', { path: '/elsewhere' })).guidance)
  }
  expect(await proposed(shipped('filesystem'))).toHaveLength(1)
  expect(await proposed(shipped('filesystem'), 'list_allowed_directories')).toStrictEqual([])
  expect(
    await proposed(withFix("{ call: list_directory, with: { path: 5 }, why: 'It lists what is there.' }")),
  ).toStrictEqual([])
})

test('a proposed read is left out where its caller may not make it, or it would repeat a secret', async () => {
  const folder = newFolder()
  const secret = shipped('filesystem')
  const hiding = {
    ...secret,
    tools: { ...secret.tools, edit_file: { ...secret.tools['edit_file'], show: [{ argument: 'path', as: 'secret' }] } },
  } as Profile
  const upstream = await startOne(
    officialServer('filesystem', [folder], { tools: { list_allowed_directories: { permissions: ['files.list'] } } }),
  )
  const proposed = async (permissions: readonly string[]) =>
    calls(
      (await (await stageOf(upstream, secret)).ask('read_text_file', { path: '/elsewhere' }, caller({ permissions })))
        .guidance,
    )
  expect(await proposed(['files.list'])).toHaveLength(1)
  expect(await proposed([])).toStrictEqual([])
  const tools = await toolsOf(upstream, secret, undefined, {})
  const atDoor = async (permissions: readonly string[]) =>
    calls((await behindDoor(tools, 'it:read_text_file', caller({ permissions }))).guidance)
  expect(await atDoor(['files.list'])).toHaveLength(1)
  expect(await atDoor([])).toStrictEqual([])
  const path = join(folder, 'a.txt')
  writeFileSync(path, 'something else')
  const edited = async (profile: Profile) =>
    calls(
      (
        await (
          await stageOf(upstream, profile)
        ).ask('edit_file', { path, edits: [{ oldText: 'not there', newText: 'x' }] })
      ).guidance,
    )
  expect(await edited(secret)).toHaveLength(1)
  expect(await edited(hiding)).toStrictEqual([])
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
      const text = `{ call: ${call}, with: ${JSON.stringify(args)}, why: 'It helps to go on.' }`
      if (!may) {
        expect(() => withFix(text)).toThrow('which writes')
        return
      }
      const profile = withFix(text)
      const { guidance } = await (await stageOf(upstream, profile)).ask('read_text_file', { path: '/elsewhere' })
      const atDoor = await behindDoor(await toolsOf(upstream, profile, undefined, {}), 'it:read_text_file')
      const [own, other] = [guidance, atDoor.guidance].map(calls) as unknown as readonly Told[][]
      // What may be told at the one may be told at the other.
      expect(other?.length).toBe(own?.length)
      if (own?.[0] === undefined || other?.[0] === undefined) return
      proposed++
      const target = (await toolsOf(upstream, profile)).find(({ definition }) => definition.name === own[0]?.tool)
      const { rationale, ...given } = own[0].arguments
      expect([rationale, target?.check(given).errors]).toStrictEqual(['It helps to go on.', []])
      expect(other[0]).toMatchObject({
        tool: 'call_tool_read',
        arguments: { name: `it:${own[0].tool}`, args_json: JSON.stringify(given), rationale },
      })
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
  expect(problems(one(", fix: { call: put_note, why: 'It shows the note.' }"))).toContain(
    'calls "put_note", which writes',
  )
  expect(problems(one(", fix: { call: get_notes, why: 'It shows the note.' }"))).toContain('Did you mean "get_note"?')
  expect(problems(one(", fix: { call: get_note, with: { id: '{' }, why: 'It shows the note.' }"))).toContain(
    'is no template',
  )
  // It is the reason of the call.
  expect(problems(one(", fix: { call: get_note, why: 'It shows.' }"))).toContain('errors.0.fix.why')
  expect(problems(one(', tools: [got_note]'))).toContain('which this profile does not have')
  expect(problems("  - { id: gone, matches: '(?=a)', class: upstream_not_found }")).toContain('RE2')
  expect(problems('  - { id: gone, matches: gone, class: not_found }')).toContain('errors.0.class')
})

test('errors that do not fit the tools of their server are named', () => {
  const profile = withFix("{ call: list_directory, with: { folder: '{nowhere}' }, why: 'It lists what is there.' }")
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
