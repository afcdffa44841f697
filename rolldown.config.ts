// The types of the package as one file for each of its two doors, with what they lead to and nothing else: the files that they
// are made of lead to a thousand more of our own and of our packages, which a compiler would read for every program.
import { readFileSync } from 'node:fs'
import type { Plugin, RolldownOptions } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'

const made = 'node_modules/.cache/types'

const { optionalDependencies, peerDependenciesMeta } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly optionalDependencies: object
  readonly peerDependenciesMeta: object
}
const optional = Object.keys({ ...optionalDependencies, ...peerDependenciesMeta })

const importing = /^import .* from "([^"]+)";$/gm

/** Where an optional package is not installed, what comes of it is `any`, and no error in a file that nobody can change. */
const withoutOptional: Plugin = {
  name: 'without-optional',
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle))
      if (file.type === 'chunk')
        file.code = file.code.replace(importing, (line, from: string) =>
          optional.some((name) => from === name || from.startsWith(`${name}/`)) ? `// @ts-ignore\n${line}` : line,
        )
  },
}

const options: RolldownOptions = {
  input: { index: `${made}/index.d.ts`, testing: `${made}/testing/index.d.ts` },
  external: (id) => !id.startsWith('.') && !id.startsWith('/') && !id.startsWith(made),
  plugins: [dts({ dtsInput: true, emitDtsOnly: true, tsconfig: false }), withoutOptional],
  output: { dir: 'dist/types', cleanDir: true },
}

export default options
