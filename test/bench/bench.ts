// `npm run bench [-- rail|card]`: prints what is measured and asserts nothing. Numbers of a shared machine are worth
// comparing within one run only, which is why everything here is compared within one run.
import { rail } from './rail.ts'

const benches: Readonly<Record<string, () => Promise<void>>> = { rail }

const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !Object.hasOwn(benches, name))
if (unknown.length > 0) {
  console.error(`There is no benchmark "${unknown.join('", "')}". Known are: ${Object.keys(benches).join(', ')}.`)
  process.exit(1)
}
for (const [name, bench] of Object.entries(benches)) if (asked.length === 0 || asked.includes(name)) await bench()
