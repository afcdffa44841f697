// A second server process, as far as the desk can tell: opens it on a file and says how many orders it found.
import { openDesk } from './orders-fixture.ts'

const desk = await openDesk(process.argv[2], Date.now)
const orders = await desk.db.selectFrom('desk_orders').select('id').execute()
process.stdout.write(`${orders.length} orders\n`)
await desk.close()
