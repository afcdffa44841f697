// Who is in a segment is asked of real tables, on both databases.
import { describe, expect, test } from 'vitest'
import { ada, failed, openDesk } from '../mail-fixture.ts'

const desk = async () => {
  const mail = await openDesk({ url: 'smtp://127.0.0.1:1' })
  const rows: readonly (readonly [address: string, values?: Readonly<Record<string, string>>])[] = [
    ['ann@acme.example', { first_name: 'Ann', company: 'ACME', note: '50 % off, never_mind' }],
    ['bob@acme.example', { first_name: 'Bob', company: 'Acme', undeliverable: 'no such user' }],
    ['cem@other.example', { company: 'Other' }],
    ['dia@xn--mnchen-3ya.example', { first_name: '', company: '' }],
  ]
  for (const [tenant, prefix] of [
    [ada.tenant, ''],
    ['other', 'x'],
  ] as const)
    for (const [at, values] of rows) {
      const address = `${prefix}${at}`
      const row = { id: `ct_${address}`, tenant, address, address_key: address, domain: at.split('@')[1] ?? '' }
      await mail.db
        .insertInto('mail_contacts')
        .values({ ...row, created_at: '2026-11-22T12:00:00.000Z', version: 1, ...values })
        .execute()
    }
  return mail
}
type Desk = Awaited<ReturnType<typeof desk>>

interface Previewed {
  readonly contacts: readonly { readonly address: string }[]
  readonly nextCursor?: string
  readonly [field: string]: unknown
}

const preview = async (mail: Desk, input: object) => (await mail.read('segments.preview', input)) as Previewed
const namesOf = ({ contacts }: Previewed): string => contacts.map(({ address }) => address.split('@')[0]).join(' ')

describe('segments.preview', () => {
  test.each([
    [[], 'ann bob cem dia'],
    [[{ field: 'company', operator: 'is', value: 'acme' }], 'ann bob'],
    [[{ field: 'company', operator: 'is_not', value: 'ACME' }], 'cem dia'],
    [[{ field: 'note', operator: 'contains', value: '50 % OFF' }], 'ann'],
    [[{ field: 'note', operator: 'contains', value: 'r_m' }], 'ann'],
    [[{ field: 'note', operator: 'contains', value: '%' }], 'ann'],
    [[{ field: 'note', operator: 'contains', value: "' or 1=1 --" }], ''],
    [[{ field: 'first_name', operator: 'exists' }], 'ann bob'],
    [[{ field: 'first_name', operator: 'missing' }], 'cem dia'],
    [[{ field: 'undeliverable', operator: 'missing' }], 'ann cem dia'],
    [[{ field: 'domain', operator: 'is', value: 'MÜNCHEN.example' }], 'dia'],
    [[{ field: 'email', operator: 'is', value: 'Dia@München.example' }], 'dia'],
    [
      [
        { field: 'domain', operator: 'is', value: 'acme.example' },
        { field: 'first_name', operator: 'is_not', value: 'Bob' },
      ],
      'ann',
    ],
  ])('finds those of whom %j holds', async (conditions, names) => {
    expect(namesOf(await preview(await desk(), { conditions }))).toBe(names)
  })

  test('counts all, those without a first name, the undeliverable ones, and domains', async () => {
    expect(await preview(await desk(), { conditions: [], limit: 0 })).toStrictEqual({
      count: 4,
      withoutFirstName: 2,
      undeliverable: 1,
      domains: [
        { domain: 'acme.example', count: 2 },
        { domain: 'other.example', count: 1 },
        { domain: 'xn--mnchen-3ya.example', count: 1 },
      ],
      domainCount: 3,
      contacts: [],
    })
  })

  test('goes through all of them page by page, each once', async () => {
    const mail = await desk()
    const pages: string[] = []
    for (let cursor: string | undefined, first = true; first || cursor !== undefined; first = false) {
      const page = await preview(mail, { conditions: [], limit: 3, ...(cursor === undefined ? {} : { cursor }) })
      pages.push(namesOf(page))
      cursor = page.nextCursor
    }
    expect(pages).toStrictEqual(['ann bob cem', 'dia'])
  })

  test('refuses a segment and conditions at once, or neither', async () => {
    const mail = await desk()
    await expect(mail.read('segments.preview', {})).rejects.toThrow('not both')
    await expect(mail.read('segments.preview', { segmentId: 'x', conditions: [] })).rejects.toThrow('not both')
  })
})

describe('segments.create', () => {
  const input = { name: 'ACME', conditions: [{ field: 'company', operator: 'is', value: 'Acme' }] }

  test('shows the conditions in words and whom they mean, and keeps the rule', async () => {
    const mail = await desk()
    const shown = await mail.preview('segments.create', input)
    expect(JSON.stringify(shown.blocks)).toContain('company is “Acme”')
    expect(shown.blocks).toMatchObject([
      { kind: 'fields' },
      { kind: 'people', count: 2, sample: [{ name: 'Ann', address: 'ann@acme.example' }, { name: 'Bob' }] },
    ])
    const { segment } = (await mail.apply('segments.create', input)) as { segment: { segmentId: string } }
    expect(await mail.read('segments.list', {})).toStrictEqual({ segments: [{ ...segment, ...input }], more: false })
    await mail.db.deleteFrom('mail_contacts').where('id', '=', 'ct_bob@acme.example').execute()
    expect(await preview(mail, { segmentId: segment.segmentId })).toMatchObject({ count: 1 })
  })

  test('warns where it means everybody, or nobody', async () => {
    const mail = await desk()
    const title = async (conditions: readonly object[]) =>
      (await mail.preview('segments.create', { ...input, conditions })).warnings?.[0]?.title
    expect(await title([])).toBe('There are no conditions: it means every contact.')
    expect(await title([{ field: 'company', operator: 'is', value: 'Nobody' }])).toBe(
      'Nobody meets these conditions now.',
    )
  })

  test('takes a name once for each tenant, and knows no segment of another one', async () => {
    const mail = await desk()
    const { segment } = (await mail.apply('segments.create', input)) as { segment: { segmentId: string } }
    expect(failed(await mail.basis('segments.create', input)).code).toBe('name_taken')
    const other = { tenant: 'other', subject: 'ada' }
    const asked = { segmentId: segment.segmentId }
    expect(failed(await mail.read('segments.preview', asked, other)).code).toBe('unknown_segment')
    expect(await mail.apply('segments.create', input, undefined, other)).toMatchObject({ now: { count: 2 } })
    expect(failed(await mail.read('segments.preview', { segmentId: 'acme' })).message).toContain('Did you mean sg_')
  })
})
