// What is counted by the address is counted by whoever has it.
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { addressOf } from '../../../server/http/address-of.ts'

const seen = async (forwarded: string): Promise<string> => {
  const app = new Hono().get('/', (c) => c.text(addressOf(c, 'https://desk.example')))
  return (await app.request('/', { headers: { 'x-forwarded-for': forwarded } })).text()
}

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:0DB8:0:0:ffff:ffff:ffff:ffff', '2001:db8:0:0::/64'],
  ['2001:db8:0:1::1', '2001:db8:0:1::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['::ffff:cb00:7109', '203.0.113.9'],
  ['64:ff9b::203.0.113.9', '203.0.113.9'],
  ['64:ff9b::cb00:710a', '203.0.113.10'],
  ['64:ff9b:1::203.0.113.9', '64:ff9b:1:0::/64'],
  ['::203.0.113.9', '0:0:0:0::/64'],
  ['unknown', 'unknown'],
])('%s is counted as %s', async (address, counted) => {
  expect(await seen(`198.51.100.1, ${address}`)).toBe(counted)
})
