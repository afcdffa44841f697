// Until when: every door takes the same words for it, and means the same by them.
import { expect, test } from 'vitest'
import { openFront } from '../auth/serve-accounts.ts'

const day = 24 * 3_600_000

test('tokens, grants and delegations end at the same words alike; a date is meant to its end', async () => {
  const front = await openFront()
  const eve = await front.desk('Eve')
  await front.add('Bob')
  const ends = async (until: string): Promise<readonly unknown[]> => {
    const token = await eve.send('POST', '/api/v1/tokens', { subject: 'bot', expires: until })
    const terms = { tool: 'notes_send', subject: 'ada', condition: 'recipients < 10', times: 2, until }
    const grant = await eve.send('POST', '/api/v1/grants', terms)
    const loan = await eve.send('POST', '/api/v1/delegations', { to: 'Bob', until })
    return [
      token.body['expires_at'],
      (grant.body['grant'] as { until?: unknown } | undefined)?.until,
      loan.body['until'],
    ]
  }
  const in30 = new Date(Date.now() + 30 * day).toISOString()
  const date = new Date(Date.parse(in30.slice(0, 10)) + day).toISOString()
  expect(await ends(in30.slice(0, 10))).toStrictEqual([date, date, date])
  expect(await ends(in30)).toStrictEqual([in30, in30, in30])
  for (const words of ['30d', '720h']) {
    const [before, told, after] = [Date.now(), await ends(words), Date.now()]
    for (const end of told) {
      expect(Date.parse(String(end))).toBeGreaterThanOrEqual(before + 30 * day)
      expect(Date.parse(String(end))).toBeLessThanOrEqual(after + 30 * day)
    }
  }
  for (const words of ['soon', '2027-02-31', '30', '2020-01-01', '2027-01-31T12:00'])
    expect(await ends(words)).toStrictEqual([undefined, undefined, undefined])
})
