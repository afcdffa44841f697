import { statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { dataFile, defaultDatabaseFile } from '../../../server/store/store.ts'
import { place } from './store-fixture.ts'

const windows = String.raw`C:\Users\ada`

test.for([
  ['linux', {}, '/home/ada', '/home/ada/.local/share/countersign/countersign.db'],
  ['linux', { XDG_DATA_HOME: '/data' }, '/home/ada', '/data/countersign/countersign.db'],
  ['linux', { XDG_DATA_HOME: 'data' }, '/home/ada', '/home/ada/.local/share/countersign/countersign.db'],
  ['linux', { XDG_DATA_HOME: '' }, '/home/ada', '/home/ada/.local/share/countersign/countersign.db'],
  ['darwin', {}, '/Users/ada', '/Users/ada/Library/Application Support/countersign/countersign.db'],
  ['darwin', { XDG_DATA_HOME: '/data' }, '/Users/ada', '/data/countersign/countersign.db'],
  ['win32', {}, windows, String.raw`C:\Users\ada\AppData\Local\countersign\countersign.db`],
  ['win32', { LOCALAPPDATA: String.raw`D:\Local` }, windows, String.raw`D:\Local\countersign\countersign.db`],
] as const)('on %s with %j the database lies in the user’s data directory', ([platform, env, home, file]) => {
  expect(dataFile(env, platform, home)).toBe(file)
})

test.runIf(process.platform !== 'win32')('creates the directory for the user alone', () => {
  const home = place()
  const file = defaultDatabaseFile({ XDG_DATA_HOME: home })
  expect(file).toBe(join(home, 'countersign', 'countersign.db'))
  expect(statSync(join(home, 'countersign')).mode & 0o777).toBe(0o700)
})
