// Another server process, as far as the store can tell: takes uses as fast as it can, several at a time, and says how many
// it got. `node worker.ts DATABASE GRANT TRIES NAME`.
import { openStore } from '../../../../server/store/store.ts'

const [file = '', grant = '', tries = '0', name = ''] = process.argv.slice(2)
const opened = await openStore({ file, secret: process.env['COUNTERSIGN_SECRET'] })
if (!opened.ok) throw new Error(opened.failure.message)
const { grants } = opened.value
const claim = { principal: { tenant: 'default', subject: name }, tool: 'invoices_send', definition: 'd1' }
process.stdout.write('ready\n')
await new Promise((resolve) => process.stdin.once('data', resolve))
const taken = await Promise.all(
  Array.from({ length: Number(tries) }, (_, at) => grants.take(grant, { ...claim, planId: `pl_${name}_${at}` })),
)
process.stdout.write(`${taken.filter(({ kind }) => kind === 'taken').length}\n`)
await opened.value.close()
process.exit()
