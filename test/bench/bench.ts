// `npm run bench [-- rail|card]`: prints what is measured and asserts nothing. Numbers of a shared machine are worth
// comparing within one run only, which is why everything here is compared within one run.
import { card } from './card.ts'
import { rail } from './rail.ts'

const benches: Readonly<Record<string, () => Promise<void>>> = { rail, card }

const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !Object.hasOwn(benches, name))
if (unknown.length > 0) {
  console.error(`There is no benchmark "${unknown.join('", "')}". Known are: ${Object.keys(benches).join(', ')}.`)
  process.exit(1)
}
const chosen = Object.keys(benches).filter((name) => asked.length === 0 || asked.includes(name))
for (const [at, name] of chosen.entries()) {
  if (at > 0) console.log()
  await benches[name]?.()
}
