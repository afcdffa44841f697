// What is asked of a package that may be missing before anything relies on it. How each is told stands in `test/dependencies.test.ts`.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { printed } from '../../kit/without-packages.ts'
import { place } from '../store/store-fixture.ts'

const ofUs = new URL('../../../server/errors/optional-package.ts', import.meta.url).href

/** What is said of a package where this version of it lies beside us. */
async function saidOf(version: string, name = 'diff'): Promise<unknown> {
  const folder = join(place(), 'node_modules', name)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, version }))
  const main = join(folder, 'index.mjs')
  writeFileSync(main, 'export const found = true')
  return await printed(`
    import { registerHooks } from 'node:module'
    registerHooks({
      resolve: (name, context, next) =>
        name === '${name}' ? { url: ${JSON.stringify(pathToFileURL(main).href)}, shortCircuit: true } : next(name, context),
    })
    const { withPackages } = await import(${JSON.stringify(ofUs)})
    const said = await withPackages(['${name}'], () => import('${name}')).then(({ found }) => found, ({ message }) => message)
    console.log(JSON.stringify(said))`)
}

test.each(['8.0.4', '8.1.0', '8.0.0-beta.1'])(
  'a package that is there in our version is loaded (%s)',
  async (version) => {
    expect(await saidOf(version)).toBe(true)
  },
)

test.each(['4.0.2', '9.0.0', '80.0.0'])(
  'another version, which somebody else has brought, is none (%s)',
  async (version) => {
    expect(await saidOf(version)).toBe(
      `The package diff, which the comparison of two texts needs, is installed in version ${version}, which is not the one that it needs. Run \`npm install diff@8\` beside Countersign.`,
    )
  },
)

test.each(['6.0.4', '6.0.10', '6.1.0'])(
  'a guard is loaded from the version on that it was written for (%s)',
  async (version) => {
    expect(await saidOf(version, 'unbash')).toBe(true)
  },
)

test.each(['6.0.3', '6.0.4-rc.1', '5.9.9', '7.0.0', '60.0.4'])(
  'an older one of the same major version is none, for it may judge otherwise (%s)',
  async (version) => {
    expect(await saidOf(version, 'unbash')).toBe(
      `The package unbash, which reading lines of a shell needs, is installed in version ${version}, which is not the one that it needs. Run \`npm install unbash@6\` beside Countersign.`,
    )
  },
)

const missing = (name: string): Promise<unknown> =>
  printed(`
    const { withPackages } = await import(${JSON.stringify(ofUs)})
    const load = () => Promise.reject(Object.assign(new Error("Cannot find package '${name}' imported from x"), { code: 'ERR_MODULE_NOT_FOUND' }))
    const said = await withPackages(['yaml', 'toml-eslint-parser'], load).catch(({ message }) => message)
    console.log(JSON.stringify(said))`)

test('of several, the one is named that is missing', async () => {
  expect(await missing('yaml')).toBe(
    'The package yaml, which a file in YAML needs, is not installed. Run `npm install yaml@2` beside Countersign.',
  )
})

test('what one of them needs itself is no package of ours: Node’s own words stand', async () => {
  expect(await missing('lodash')).toBe("Cannot find package 'lodash' imported from x")
})
