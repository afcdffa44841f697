// The types of the package as one file for each of its two doors, with what they lead to and nothing else: the files that they
// are made of lead to a thousand more of our own and of our packages, which a compiler would read for every program.
import type { RolldownOptions } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'

const made = 'node_modules/.cache/types'

const options: RolldownOptions = {
  input: { index: `${made}/index.d.ts`, testing: `${made}/testing/index.d.ts` },
  external: (id) => !id.startsWith('.') && !id.startsWith('/') && !id.startsWith(made),
  plugins: [dts({ dtsInput: true, emitDtsOnly: true, tsconfig: false })],
  output: { dir: 'dist/types', cleanDir: true },
}

export default options
