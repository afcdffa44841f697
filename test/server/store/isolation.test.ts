// A database may have been told to begin its transactions otherwise than PostgreSQL does by itself. What waits for a lock
// would then go on with what it had seen before the wait.
import { setTimeout } from 'node:timers/promises'
import { Client } from 'pg'
import { onTestFinished, test } from 'vitest'
import { openStore } from '../../../server/store/store.ts'
import { longest } from '../../longest.ts'
import { testDatabase, testSecret } from '../../postgres.ts'
import { asAdministrator } from '../../postgres-server.ts'
import { draft } from './store-fixture.ts'

test.for(['repeatable read', 'serializable'])(
  'where transactions are %s by default, a plan that is opened while a freeze falls is revoked all the same',
  { timeout: longest },
  async (level, { expect }) => {
    const database = await testDatabase()
    onTestFinished(() => database.drop())
    const name = new URL(database.url).pathname.slice(1)
    await asAdministrator(database.url, `alter database ${name} set default_transaction_isolation = '${level}'`)
    const opened = await openStore({ file: database.url, secret: testSecret })
    if (!opened.ok) throw new Error(opened.failure.message)
    const store = opened.value
    onTestFinished(() => store.close())
    // A freeze waits for whoever is writing a plan at that moment.
    const writing = new Client({ connectionString: database.url })
    await writing.connect()
    onTestFinished(() => writing.end())
    await writing.query('begin')
    await writing.query('lock table countersign_plans in row exclusive mode')
    const freezing = store.switches.freeze({ tenant: undefined, reason: 'Stocktaking.', by: 'Eve' })
    const locked = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    while ((await writing.query(locked)).rowCount === 0) await setTimeout(5)
    const opening = store.plans.open(draft())
    await setTimeout(100)
    await writing.query('commit')
    await freezing
    await opening
    expect(await store.plans.find({ by: 'id', id: 'pl_1' })).toMatchObject({ state: 'cancelled' })
  },
)
