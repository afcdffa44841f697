// What belongs together stands together, what does not stays apart, and the same texts always give the same groups.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { evenly, groupTexts, SAMPLE } from '../../../../server/operations/insights/groups.ts'

const grouped = (texts: readonly string[]): readonly (readonly string[])[] =>
  groupTexts(texts.map((text) => ({ text }))).groups.map(({ members }) => members.map(({ text }) => text))

describe('texts are grouped', () => {
  test('by what they say and not by how', () => {
    const lost = [
      'The carrier lost the parcel, so it is shipped again',
      'Parcel was lost by the carrier; shipping again',
      'Shipped again because the carrier has lost the parcel of SO-1042',
    ]
    const twice = ['The web form was submitted twice', 'Duplicate: the web form was sent twice by the customer']
    expect(grouped([lost[0] ?? '', twice[0] ?? '', lost[1] ?? '', lost[2] ?? '', twice[1] ?? ''])).toStrictEqual([
      lost,
      twice,
    ])
  })

  test('whatever numbers stand in them', () => {
    const texts = Array.from({ length: 30 }, (_, at) => `Stock count found ${at} lamps instead of ${at * 7}`)
    expect(grouped(texts)).toStrictEqual([texts])
  })

  test('in whatever language they are written', () => {
    const subjects = [
      ['The invoice has a wrong VAT id, accounting needs it corrected', 'VAT id is wrong: correct the invoice'],
      ['Kunde hat storniert, weil die Lieferung zu spät kam', 'Lieferung kam zu spät, der Kunde hat storniert'],
      ["Le client a signalé une erreur d'adresse", "Erreur d'adresse signalée par un client"],
      ['El cliente encontró un precio mejor', 'Un mejor precio encontró el cliente'],
      ['العميل اتصل وقال إن العنوان خاطئ', 'العنوان خاطئ كما قال العميل'],
    ]
    expect(grouped(subjects.flat())).toStrictEqual(subjects)
  })

  test('in languages without blanks as well', () => {
    expect(
      grouped(['納品先の住所が変わりました', '納品先の住所が変わったため', '在庫が足りないので入荷を待ちます']),
    ).toHaveLength(2)
  })

  test('under the member that is most like the others', () => {
    const { groups } = groupTexts(
      ['lamp broke', 'the lamp broke on its way to us', 'lamp broke on its way'].map((text) => ({ text })),
    )
    expect(groups[0]?.typical.text).toContain('lamp broke on its way')
  })
})

test('of very many texts an even sample is compared, and its size is said', () => {
  const texts = Array.from({ length: 100_000 }, (_, at) => ({
    text: at % 2 === 0 ? 'carrier lost it' : 'web form sent twice',
  }))
  const { total, compared, groups } = groupTexts(texts)
  expect({ total, compared }).toStrictEqual({ total: 100_000, compared: SAMPLE })
  expect(groups).toHaveLength(2)
})

test('a sample has the first and the last, and nothing twice', () => {
  fc.assert(
    fc.property(fc.nat(500), fc.integer({ min: 2, max: 60 }), (length, most) => {
      const all = Array.from({ length }, (_, at) => at)
      const some = evenly(all, most)
      expect(some).toHaveLength(Math.min(length, most))
      expect(new Set(some).size).toBe(some.length)
      expect([some[0], some.at(-1)]).toStrictEqual([all[0], all.at(-1)])
    }),
  )
})

const sentence = fc
  .array(fc.constantFrom('carrier', 'lost', 'parcel', 'web', 'form', 'twice', 'lamp', 'broke', '納品先', '12', ''), {
    maxLength: 6,
  })
  .map((words) => words.join(' '))

test('whatever is given: nothing is lost, nothing doubled, and the same question has the same answer', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(sentence, fc.string()), { maxLength: 40 }), (texts) => {
      const items = texts.map((text) => ({ text }))
      const { groups } = groupTexts(items)
      const members = groups.flatMap((group) => group.members)
      expect(members).toHaveLength(items.length)
      expect(new Set(members)).toStrictEqual(new Set(items))
      for (const { typical, members: own } of groups) expect(own).toContain(typical)
      expect(groupTexts(items)).toStrictEqual({ total: items.length, compared: items.length, groups })
    }),
  )
})
