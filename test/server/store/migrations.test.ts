// What a released migration does must stay what it was: two databases of one version have one shape, whoever made them.
import { createHash } from 'node:crypto'
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type Dialect,
} from 'kysely'
import { expect, test } from 'vitest'
import { migrations } from '../../../server/store/migrations/migrate.ts'

const sqlite: Dialect = {
  createAdapter: () => new SqliteAdapter(),
  createDriver: () => new DummyDriver(),
  createIntrospector: (db) => new SqliteIntrospector(db),
  createQueryCompiler: () => new SqliteQueryCompiler(),
}
const postgres: Dialect = {
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => new DummyDriver(),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
}

/** Statements of each migration on one database. */
async function statements(dialect: Dialect, types: Parameters<typeof migrations>[0]): Promise<[string, string[]][]> {
  const found: [string, string[]][] = []
  for (const [name, migration] of Object.entries(migrations(types))) {
    const said: string[] = []
    await migration.up(new Kysely<unknown>({ dialect, log: ({ query }) => void said.push(query.sql) }))
    found.push([name, said])
  }
  return found
}

test('the SQL of a released migration is the same as on the day of its release, on both databases', async () => {
  const all = [
    ...(await statements(sqlite, { bytes: 'blob', position: 'integer' })),
    ...(await statements(postgres, { bytes: 'bytea', position: 'bigserial' })),
  ]
  const digests = all.map(
    ([name, said]) => `${name} ${createHash('sha256').update(said.join('\n')).digest('hex').slice(0, 16)}`,
  )
  expect(digests).toStrictEqual([
    '0001-plans 4551764110413cce',
    '0002-activity 9be100f35cfd7714',
    '0003-approvals 4076f82c775c615c',
    '0004-pins 21f53f936d6b9a54',
    '0006-tokens 9c8d0a17709beb59',
    '0007-accounts d3f124755bf16803',
    '0008-grants 0d42a2120b0c6b9e',
    '0009-notifications d5cd56b63610855f',
    '0010-activity-formats fe7eb4026a64bdbd',
    '0011-grant-givers 4415eae710f3f7fb',
    '0012-logins e61a0f8f8a522c5f',
    '0013-guidance 3d0235488728f316',
    '0014-activity-sums 881d07adbaf1b437',
    '0015-revisions f6791cb5cf389564',
    '0016-token-sessions 9481308e59c0f7c4',
    '0017-activity-words 41db04d97c7f5cb1',
    '0018-recent-calls 82eac45e6a30922c',
    '0001-plans 9cab8a101a1875cf',
    '0002-activity 37dfb2e92a8d44c5',
    '0003-approvals a1d243493ffe6482',
    '0004-pins 21f53f936d6b9a54',
    '0006-tokens 9c8d0a17709beb59',
    '0007-accounts d3f124755bf16803',
    '0008-grants a31a0c40c4050a67',
    '0009-notifications 3b0192b3fdd792e2',
    '0010-activity-formats fe7eb4026a64bdbd',
    '0011-grant-givers 4415eae710f3f7fb',
    '0012-logins 75a9ba050e270b73',
    '0013-guidance 3d0235488728f316',
    '0014-activity-sums 881d07adbaf1b437',
    '0015-revisions f6791cb5cf389564',
    '0016-token-sessions 9481308e59c0f7c4',
    '0017-activity-words 31793b4565b568f8',
    '0018-recent-calls e3b0c44298fc1c14',
  ])
})
