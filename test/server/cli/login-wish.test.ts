// What the options of `login` say beside the settings of its server: they may say the same, and may not contradict.
import { expect, onTestFinished, test } from 'vitest'
import { wishOf, type WishOptions } from '../../../server/cli/gateway/login-wish.ts'
import { remoteServerSchema } from '../../../server/gateway/upstream/settings/upstream-config.schema.ts'

const oauth = { issuer: 'https://login.example', client_id: 'ours', client_secret: 'our-secret' }
const wish = (options: WishOptions, settings: object = oauth) =>
  wishOf(remoteServerSchema.parse({ url: 'https://tracker.example/mcp', oauth: settings }), options)

test.each(['https://login.example', 'https://login.example/'])(
  'the issuer of the settings may be named again, as %s',
  (issuer) => {
    expect(wish({ issuer })).toMatchObject({ ok: true, value: { issuer } })
  },
)

test('another issuer than that of the settings is refused', () => {
  expect(wish({ issuer: 'https://login.example/other' })).toMatchObject({
    ok: false,
    failure: { message: 'The settings name the issuer https://login.example.' },
  })
})

test('the client of the settings, named again, keeps its secret; another secret comes before it', () => {
  const client = { id: 'ours', secret: 'our-secret' }
  expect(wish({})).toMatchObject({ ok: true, value: { client } })
  expect(wish({ clientId: 'ours' })).toMatchObject({ ok: true, value: { client } })
  process.env['TEST_CLIENT_SECRET'] = 'another'
  onTestFinished(() => void delete process.env['TEST_CLIENT_SECRET'])
  expect(wish({ clientId: 'ours', clientSecret: 'TEST_CLIENT_SECRET' })).toMatchObject({
    ok: true,
    value: { client: { id: 'ours', secret: 'another' } },
  })
})

test('another client than that of the settings is refused', () => {
  expect(wish({ clientId: 'theirs' })).toMatchObject({
    ok: false,
    failure: { message: 'The settings name the client ours.' },
  })
})
