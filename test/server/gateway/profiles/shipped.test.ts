// Every profile that is shipped is held to the tools that its server was recorded with.
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { argumentsAtDoor } from '../../../../server/rail/answers/argument-order.ts'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { sheetOf, shippedIndex } from '../../../../server/compose/profiles/profiles.ts'
import { checkAgainst } from '../../../../server/gateway/profiles/check-against.ts'
import { shapeDigest } from '../../../../server/gateway/profiles/definition-shape.ts'
import type { Profile } from '../../../../server/gateway/profiles/profile.schema.ts'
import { upstreamTools } from '../../../../server/gateway/contract/upstream-contracts.ts'
import { defaultLifecycle } from '../../../../server/gateway/upstream/connection/lifecycle-options.ts'
import { readDefinition } from '../../../../server/gateway/upstream/definitions/definition.ts'
import type { Machine } from '../../../../server/gateway/programs/git/machine.ts'
import { pinTools } from '../../../../server/gateway/upstream/definitions/pins.ts'
import { qualifiedName } from '../../../../server/gateway/upstream/qualified-name.ts'
import { createUpstream } from '../../../../server/gateway/upstream/upstream.ts'
import { fillArguments } from '../../../../server/gateway/profiles/template.ts'
import type { PinStore } from '../../../../server/model/pins.ts'
import { stdioServerSchema } from '../../../../server/gateway/upstream/settings/upstream-config.schema.ts'
import { callToolsOf } from '../call-tools/call-tools-of.ts'
import { readProfile } from '../../../../server/gateway/profiles/read-profile.ts'

const root = new URL('../../../../', import.meta.url).pathname

const recordedSchema = z.object({
  source: z.string(),
  serverInfo: z.object({ name: z.string(), version: z.string() }).nullish(),
  tools: z.array(
    z.object({
      name: z.string(),
      inputSchema: z.record(z.string(), z.unknown()),
      annotations: z
        .object({ readOnlyHint: z.boolean().optional(), destructiveHint: z.boolean().optional() })
        .nullish(),
    }),
  ),
})

const recorded = globSync('test/profiles/recorded/*.json', { cwd: root }).map((file) =>
  recordedSchema.parse(JSON.parse(readFileSync(`${root}${file}`, 'utf8'))),
)

const profiles = globSync('profiles/*.yaml', { cwd: root })
  .toSorted()
  .map((file): { readonly file: string; readonly profile: Profile } => {
    const read = readProfile(readFileSync(`${root}${file}`, 'utf8'), file)
    if (!read.ok) throw new Error(read.failure.map(({ message, next }) => `${message} ${next}`).join('\n'))
    return { file: basename(file, '.yaml'), profile: read.value }
  })

const forgetful: PinStore = { get: async () => [], put: async () => undefined, accept: async () => false }
const neverStarted = createUpstream('it', stdioServerSchema.parse({ command: 'never-started' }), {
  ...defaultLifecycle,
  version: '0',
  now: Date.now,
})

/** The lists of one profile: of a package that it matches, of a server that calls itself as it says, or of its repository. */
const listsOf = ({ match, source: sources }: Profile) =>
  recorded.filter(
    ({ source, serverInfo }) =>
      match.npm?.includes(packageIn(source) ?? '') === true ||
      match.server?.includes(serverInfo?.name ?? '') === true ||
      sources.some((url) => isBelow(source, url)),
  )

/** The package of "npm:@scope/name@1.2.3", whole. */
const packageIn = (source: string): string | undefined => /^npm:((?:@[^@/]+\/)?[^@/]+)@[^@]+$/.exec(source)?.[1]

/** Whether "github:owner/repo@commit:path" lies in the repository, or in the folder of it, that an address names. */
function isBelow(source: string, url: string): boolean {
  const [, repository, path = ''] = /^github:([^@]+)@\w+:(.*)$/.exec(source) ?? []
  const [, named, folder = ''] = /^https:\/\/github\.com\/([^/]+\/[^/]+)(?:\/tree\/[^/]+\/(.+))?$/.exec(url) ?? []
  return (
    repository !== undefined &&
    repository === named &&
    (folder === '' || path === folder || path.startsWith(`${folder}/`))
  )
}

test('the index of the shipped profiles is what they say; vitest -u writes it', async () => {
  const index = profiles.map(({ profile: { name, match } }) => ({ name, match }))
  await expect(`${JSON.stringify(index, null, 2)}\n`).toMatchFileSnapshot(`${root}profiles/index.json`)
  expect(shippedIndex()).toEqual(index)
})

test('no two profiles match the same server', () => {
  const claims = profiles.flatMap(({ profile: { name, match } }) =>
    Object.entries(match).flatMap(([kind, names]) => (names ?? []).map((each) => [`${kind}:${each}`, name] as const)),
  )
  expect(claims.filter(([claim], at) => claims.findIndex(([other]) => other === claim) !== at)).toEqual([])
})

describe.each(profiles.map(({ file, profile }) => [file, profile] as const))('%s', (file, profile) => {
  test('is named like its file, and recorded', () => {
    expect(profile.name).toBe(file)
    expect(listsOf(profile).length).toBeGreaterThan(0)
  })

  test('is the same as JSON, which is what the build makes of it', () => {
    expect(JSON.parse(JSON.stringify(profile))).toEqual(profile)
  })

  test('names a cheatsheet that is shipped, or none', () => {
    expect(sheetOf(profile)).toMatchObject({ ok: true })
  })

  test('fits the tools that were recorded', () => {
    // Of several forms of one server each has some of the tools.
    const listed = new Map(listsOf(profile).flatMap(({ tools }) => tools.map((tool) => [tool.name, tool] as const)))
    expect(checkAgainst(profile, [...listed.values()])).toEqual([])
  })

  test('was tested with the definitions that were recorded', () => {
    const unknown = listsOf(profile).flatMap(({ source, tools }) =>
      tools
        .filter((tool) => {
          const digest = shapeDigest(tool)
          return !profile.tested.some(({ definitions }) => definitions[tool.name] === digest)
        })
        .map(({ name }) => `${source} ${name}`),
    )
    expect(unknown).toEqual([])
  })
})

/** A machine on which nothing is configured that git would run. */
const plainMachine: Machine = {
  folder: '/',
  home: '/',
  look: () => ({ objections: [], secretAddress: false, isGitFolder: false }),
}

test('every read that a shipped profile proposes goes through the door that its server asks for, and only reads', async () => {
  const refused: string[] = []
  for (const { profile } of profiles)
    for (const { tools: listed, source } of listsOf(profile)) {
      const fixes = (profile.errors ?? []).flatMap(({ fix }) => (fix === undefined ? [] : [fix]))
      if (fixes.length === 0) continue
      const definitions = listed.flatMap((tool) => {
        const read = readDefinition({ ...tool, annotations: tool.annotations ?? undefined })
        return read.ok ? [read.value] : []
      })
      const tools = upstreamTools(neverStarted, await pinTools(neverStarted.name, definitions, forgetful), {
        known: { profile, lowers: true, by: 'its package', onUnix: { posixShell: true, machine: plainMachine } },
      })
      const callTools = callToolsOf(tools)
      const from = callTools.translate('call_tool_destructive', {
        name: tools[0]?.name,
        intent: { operation_type: 'destructive' },
        rationale: 'It fails, and something is proposed.',
      })
      for (const { call, with: args, why } of fixes) {
        if (!listed.some(({ name }) => name === call)) continue
        const meant = from?.spelling?.read(qualifiedName(neverStarted.name, call))
        const own = fillArguments(args, { path: 'x', repo_path: 'x' })
        const given = Object.fromEntries(
          meant === undefined ? [] : argumentsAtDoor(meant.spelling, Object.entries(own)),
        )
        const made = callTools.translate(meant?.spelling.tool ?? '', { ...given, rationale: why })
        await made?.found?.contract.prepare?.()
        const reads = made?.found?.contract
        const only =
          reads?.operation === 'read' || (reads !== undefined && 'reading' in reads && reads.reading?.when(own))
        if (made?.refusal !== undefined || !only) refused.push(`${source} ${call}`)
      }
    }
  expect(refused).toStrictEqual([])
})
