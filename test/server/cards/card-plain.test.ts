// The terminal's rendering and the chat's carry the same facts, because they are one walk; and neither has a character
// that its reader would obey.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cardPlain } from '../../../server/cards/card-plain.ts'
import { cardText } from '../../../server/cards/card-text.ts'
import { partlyShipped, rewriteText, sendMails } from '../../hosts/cards.ts'
import { anyCard } from '../../ui/arbitrary-card.ts'

/** What is left of a rendering without the marks and the layout of its medium. */
const facts = (text: string): string =>
  text
    .replaceAll('ˋ', '')
    .replace(/[^\p{L}\p{N}+]/gu, '')
    .replace(/json|diff/g, '')

describe('the plain text of a card', () => {
  test('carries the facts of the Markdown, in the same order', () => {
    fc.assert(
      fc.property(anyCard, (card) => {
        // Their text is kept as it is in Markdown, and has its characters marked in a terminal.
        const verbatim = new Set(['text', 'code', 'links'])
        const blocks = card.blocks.filter(({ kind }) => !verbatim.has(kind))
        const words = { ...card, blocks }
        expect(facts(cardPlain(words))).toBe(facts(cardText(words)))
      }),
      { numRuns: 300 },
    )
  })

  test('has no character that a terminal obeys', () => {
    fc.assert(
      fc.property(anyCard, (card) => {
        expect(cardPlain(card).replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
      }),
      { numRuns: 300 },
    )
  })

  test('reads in a terminal', () => {
    expect(cardPlain(partlyShipped)).toBe(
      [
        'Order SO-1040 partly fulfilled\nNorthwind · 3 of 4 steps',
        [
          '- Stock taken: applied and verified',
          '- Parcel booked: applied',
          '- Invoice sent: failed (The mail server refused the address.)',
          '- Customer told: not run',
        ].join('\n'),
        'Lines shipped: 9 of 12',
        '- Open SO-1042: https://orders.example/SO-1042',
      ].join('\n\n'),
    )
    expect(cardPlain(sendMails)).toContain(
      'Recipients: 4821, 43 of them new\n- Jane Doe j.doe@acme.example\n- Kim Lee kim@northwind.example (new)\n- and 4819 more',
    )
    expect(cardPlain(rewriteText)).toContain(
      'Signed by **both sides**:\n- ACME, by `J. Doe`\n- us\n\nNothing is printed.',
    )
    expect(cardPlain(rewriteText)).toContain(
      '- changed: Oak desk 160 (DESK-01) — Quantity: 2 → 3\n- added: Desk lamp (LAMP-07) — Quantity: 4\n- removed: Footrest (FOOT-02)\n- 9 records stay as they are',
    )
  })
})
