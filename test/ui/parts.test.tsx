// The pieces, as a person sees them and as a screen reader says them.
import { cleanup, render } from '@testing-library/preact'
import * as fc from 'fast-check'
import { render as draw } from 'preact'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { runsOf } from '../full.ts'
import { Alert } from '../../ui/parts/alert.tsx'
import { Diff } from '../../ui/parts/diff.tsx'
import { Details } from '../../ui/parts/fields.tsx'
import { formatDate, formatMoney, formatNumber, formatTime } from '../../ui/parts/format.ts'
import { Lines, Table } from '../../ui/parts/lines.tsx'
import { Marked, Prose, splitUnseen } from '../../ui/parts/marked.tsx'
import { People } from '../../ui/parts/people.tsx'
import { Picture } from '../../ui/parts/picture.tsx'
import type { Reader } from '../../ui/parts/reader.ts'
import { Code, Effects, Links } from '../../ui/parts/text.tsx'
import { Value } from '../../ui/parts/value.tsx'
import { figureText } from '../../server/cards/figures.ts'
import { en } from '../../server/cards/words/en.ts'
import { anyValue, onePixel } from './arbitrary-card.ts'
import { anyCharacter } from '../kit/any-character.ts'

const reader: Reader = { words: en, language: 'en', locale: 'en-GB', timeZone: 'Europe/Berlin', openLink: () => {} }
const text = (node: Element): string => (node.textContent ?? '').replaceAll('\u00A0', ' ').trim()
const shown = (ui: Parameters<typeof render>[0]): HTMLElement => render(ui).container as HTMLElement

afterEach(cleanup)

describe('numbers, money and times', () => {
  test('money keeps every digit that was sent', () => {
    const amount = '123456789012345678901234.5678'
    expect(formatMoney(amount, 'EUR', reader)).toBe('€123,456,789,012,345,678,901,234.5678')
    expect(formatMoney('0.1', 'EUR', reader)).toBe('€0.10')
    expect(formatMoney('998.00', 'JPY', { locale: 'en' })).toBe('¥998.00')
  })

  test('money reads as the reader writes it', () => {
    expect(formatMoney('1998.5', 'EUR', { locale: 'de-DE' })).toBe('1.998,50\u00A0€')
  })

  test('what is no number or no currency is shown as it came', () => {
    expect(formatMoney('lots', 'EUR', reader)).toBe('lots EUR')
    expect(formatMoney('1.50', 'not a currency', reader)).toBe('1.50 not a currency')
    expect(formatNumber('1e9', reader)).toBe('1e9')
    expect(formatDate('soon', 'day', reader)).toBe('soon')
    expect(formatTime('soon', reader)).toBe('')
  })

  test('a number of any length comes out with the digits it went in with', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^-?(0|[1-9]\d{0,40})(\.\d{1,12})?$/), (value) => {
        expect(formatNumber(value, { locale: 'en' }).replaceAll(',', '')).toBe(value)
      }),
    )
  })

  test('a bare day stays that day in every zone, an instant moves with it', () => {
    for (const timeZone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'UTC']) {
      expect(formatDate('2026-11-28', 'day', { locale: 'en-GB', timeZone })).toBe('28 Nov 2026')
    }
    expect(formatDate('2026-11-28T23:30:00Z', 'minute', reader)).toBe('29 Nov 2026, 00:30')
    expect(formatTime('2026-11-21T12:03:00Z', reader)).toBe('13:03')
  })
})

describe('values', () => {
  test('not set and unknown are different things', () => {
    const unset = shown(<Value value={{ kind: 'unset' }} reader={reader} />)
    const unknown = shown(<Value value={{ kind: 'unknown' }} reader={reader} />)
    expect(text(unset)).toBe('not set')
    expect(unset.querySelector('i')).not.toBeNull()
    expect(text(unknown)).toBe('unknown')
    expect(unknown.querySelector('i')).toBeNull()
  })

  test('each kind has its own looks', () => {
    const say = (value: Parameters<typeof Value>[0]['value']): string =>
      text(shown(<Value value={value} reader={reader} />))
    expect(say({ kind: 'number', value: '12000', unit: '%' })).toBe('12,000 %')
    expect(say({ kind: 'boolean', value: true })).toBe('Yes')
    expect(say({ kind: 'boolean', value: false })).toBe('No')
    expect(say({ kind: 'list', items: [] })).toBe('none')
    expect(say({ kind: 'list', items: [{ kind: 'text', text: 'a' }, { kind: 'unset' }] })).toBe('anot set')
    expect(say({ kind: 'text', text: '' })).toBe('“”')
  })

  test('any value is drawn, and never as markup of its own', () => {
    const ours = new Set(['BDI', 'SPAN', 'CODE', 'I', 'TIME', 'UL', 'LI', 'DIV'])
    fc.assert(
      fc.property(anyValue, (value) => {
        const root = shown(<Value value={value} reader={reader} />)
        for (const element of root.querySelectorAll('*')) expect(ours).toContain(element.tagName)
        cleanup()
      }),
    )
  })
})

describe('what cannot be seen is shown', () => {
  test.each([
    ['evil\u202Efdp.exe', 'evilU+202Efdp.exe'],
    ['AC\u200BME', 'ACU+200BME'],
    ['a\u0000b', 'aU+0000b'],
    ['soft\u00ADhyphen', 'softU+00ADhyphen'],
    ['tag\u{E0041}', 'tagU+E0041'],
    ['lone\uD800', 'loneU+D800'],
    ['\uFEFFbom', 'U+FEFFbom'],
    ['line\u2028end', 'lineU+2028end'],
    ['filler\u3164', 'fillerU+3164'],
    ['a\nb\tc', 'aU+000AbU+0009c'],
    ['word\uFE0F', 'wordU+FE0F'],
    ['zwj\u200Dhere', 'zwjU+200Dhere'],
  ])('%j', (given, seen) => {
    const root = shown(<Marked text={given} reader={reader} />)
    expect(text(root)).toBe(seen)
    expect(root.querySelectorAll('.mark')).toHaveLength(seen.split('U+').length - 1)
  })

  test('pictures made of several characters stay whole', () => {
    for (const picture of ['👨‍👩‍👧', '❤️', '1️⃣', '🏳️‍🌈', '👍🏽', '🇩🇪']) expect(splitUnseen(picture, false)).toEqual([picture])
  })

  test('line breaks are layout only where their author meant them', () => {
    expect(splitUnseen('a\r\nb\tc', true)).toEqual(['a\r\nb\tc'])
    expect(splitUnseen('a\rb', true)).toEqual(['a', { code: 'U+000D' }, 'b'])
  })

  test('nothing is lost: the pieces spell the text again', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.boolean(), (given, lines) => {
        const again = splitUnseen(given, lines)
          .map((part) =>
            typeof part === 'string' ? part : String.fromCodePoint(Number.parseInt(part.code.slice(2), 16)),
          )
          .join('')
        expect(again).toBe(given)
      }),
      { numRuns: runsOf(1_000) },
    )
  })

  test('sentences know identifiers and weight, and no markup', () => {
    const root = shown(<Prose text="Stock of `DESK-01` is **low** <b>x</b> `open" reader={reader} />)
    expect(root.querySelector('code')?.textContent).toBe('DESK-01')
    expect(root.querySelectorAll('b')).toHaveLength(1)
    expect(text(root)).toBe('Stock of DESK-01 is low <b>x</b> `open')
  })
})

describe('blocks', () => {
  const change = {
    pointer: '/delivery',
    label: 'Delivery',
    before: { kind: 'date', iso: '2026-11-28', precision: 'day' },
    after: { kind: 'date', iso: '2026-12-05', precision: 'day' },
  } as const

  test('a diff says was and becomes, and strikes only what there was', () => {
    const root = shown(
      <Diff
        block={{ changes: [change, { ...change, label: 'Contact', before: { kind: 'unset' } }] }}
        reader={reader}
      />,
    )
    expect(text(root)).toBe('Deliverywas 28 Nov 2026→, becomes 5 Dec 2026Contactwas not set→, becomes 5 Dec 2026')
    expect(root.querySelectorAll('del')).toHaveLength(1)
    expect(root.querySelectorAll('ins')).toHaveLength(2)
    expect(root.querySelectorAll('[aria-hidden]')).toHaveLength(2)
  })

  test('what stays is folded away with its number', () => {
    const field = { label: 'Customer', value: { kind: 'text', text: 'ACME' } } as const
    const one = shown(<Diff block={{ changes: [change], unchanged: [field] }} reader={reader} />)
    expect(text(one.querySelector('summary') as Element)).toBe('1 unchanged field')
    const two = shown(<Diff block={{ changes: [], unchanged: [field, field] }} reader={reader} />)
    expect(text(two.querySelector('summary') as Element)).toBe('2 unchanged fields')
    expect(two.querySelector('details')?.open).toBe(false)
  })

  test('a diff after the world moved has a column for what was seen', () => {
    const moved = { ...change, saw: { kind: 'date', iso: '2026-11-27', precision: 'day' } } as const
    const root = shown(<Diff block={{ changes: [moved, { ...change, saw: change.before }] }} reader={reader} />)
    expect([...root.querySelectorAll('thead th')].map(text)).toEqual(['Field', 'You saw', 'Now', 'Would become'])
    expect(root.querySelectorAll('.moved')).toHaveLength(1)
  })

  test('lines align numbers to the right and survive missing cells', () => {
    const root = shown(
      <Lines
        block={{
          itemLabel: 'Item',
          columns: [{ label: 'Qty' }, { label: 'Note' }],
          items: [
            { id: 'DESK-01', label: 'Oak desk', cells: [{ kind: 'number', value: '2' }] },
            { label: 'Lamp', cells: [{ kind: 'number', value: '1' }, { kind: 'text', text: 'x' }, { kind: 'unset' }] },
          ],
          totals: [{ label: 'Total', value: { kind: 'money', amount: '3.00', currency: 'EUR' } }],
        }}
        reader={reader}
      />,
    )
    expect([...root.querySelectorAll('tbody tr')].map((row) => row.children.length)).toEqual([3, 3])
    expect(root.querySelector('thead th:nth-child(2)')?.className).toBe('num')
    expect(text(root.querySelector('tfoot') as Element)).toBe('Total€3.00')
  })

  test('an alert says its severity to those who cannot see the colour', () => {
    const root = shown(
      <Alert block={{ severity: 'warning', title: 'Too high.', text: 'Ask first.' }} reader={reader} />,
    )
    expect(text(root)).toBe('!Warning: Too high. Ask first.')
    expect(root.querySelector('b')?.textContent).toBe('Too high.')
  })

  test('code tints a diff and only a diff', () => {
    const source = '- a\n+ b\n c'
    const diff = shown(<Code block={{ text: source, language: 'diff' }} reader={reader} />)
    expect(diff.querySelectorAll('.plus, .minus')).toHaveLength(2)
    expect(diff.querySelector('pre')?.textContent).toBe(`${source}\n`)
    const json = shown(<Code block={{ text: source, language: 'json' }} reader={reader} />)
    expect(json.querySelectorAll('.plus, .minus')).toHaveLength(0)
  })

  test('code with spans is the same text, whatever the spans say, and a span hides no disguise', () => {
    const source = "SELECT 'pаypal'\r\n😀 -- \u202Ex\r"
    const plain = shown(<Code block={{ text: source }} reader={reader} />).querySelector('pre')?.textContent
    const span = fc.record({ from: fc.nat(30), to: fc.nat(30), as: fc.constantFrom('string', 'danger', 'toString') })
    fc.assert(
      fc.property(fc.array(span, { maxLength: 6 }), (spans) => {
        const root = shown(<Code block={{ text: source, spans }} reader={reader} />)
        expect(root.querySelector('pre')?.textContent).toBe(plain)
        expect(root.querySelectorAll('.mark')).toHaveLength(3)
        cleanup()
      }),
      { numRuns: runsOf(200) },
    )
  })

  test('a span stands where it was meant, behind characters that are shown by their code points', () => {
    const source = 'a\u202E\u{E0001}\n\tDROP'
    const from = source.indexOf('DROP')
    const spans = [{ from, to: from + 4, as: 'danger' }]
    const root = shown(<Code block={{ text: source, spans }} reader={reader} />)
    expect([...root.querySelectorAll('.t-danger')].map(text)).toEqual(['DROP'])
  })

  test('Markdown is set as sentences where it has its spans, and as code where it has none', () => {
    const block = { text: '• one', language: 'markdown' }
    expect(shown(<Code block={block} reader={reader} />).querySelector('pre.said')).toBeNull()
    expect(shown(<Code block={{ ...block, spans: [] }} reader={reader} />).querySelector('pre.said')).not.toBeNull()
  })

  test('a link goes to the host and nowhere by itself', () => {
    const openLink = vi.fn()
    const root = shown(
      <Links block={{ links: [{ label: 'Open', url: 'https://a.example/x' }] }} reader={{ ...reader, openLink }} />,
    )
    const click = new MouseEvent('click', { bubbles: true, cancelable: true })
    root.querySelector('a')?.dispatchEvent(click)
    expect(openLink).toHaveBeenCalledExactlyOnceWith('https://a.example/x')
    expect(click.defaultPrevented).toBe(true)
  })

  test('effects and details are lists that read in order', () => {
    const effects = shown(<Effects block={{ effects: ['First', 'Then'] }} reader={reader} />)
    expect([...effects.querySelectorAll('li')].map(text)).toEqual(['→First', '→Then'])
    const details = shown(
      <Details block={{ summary: 'More', fields: [{ label: 'A', value: { kind: 'unset' } }] }} reader={reader} />,
    )
    expect(text(details)).toBe('MoreAnot set')
    const amount = figureText({ kind: 'money', amount: '840.00', currency: 'EUR' })
    const folded = shown(<Details block={{ summary: `1. Order changed · ${amount}`, fields: [] }} reader={reader} />)
    expect(text(folded)).toBe('1. Order changed · €840.00')
  })
})

test('a long list has its first rows at once and the next right after, and never says that those are left', async () => {
  const rows = Array.from({ length: 40 }, (_, at) => [{ kind: 'text', text: `row ${at}` } as const])
  const root = document.body.appendChild(document.createElement('div'))
  draw(<Table block={{ label: 'Rows', columns: [{ label: 'Row' }], rows }} reader={reader} />, root)
  expect(root.querySelectorAll('tbody tr')).toHaveLength(16)
  expect(root.textContent).not.toContain('more')
  await vi.waitFor(() => expect(root.querySelectorAll('tbody tr')).toHaveLength(40))
  draw(null, root)
  root.remove()
})

test('the next rows of a long list are drawn in the frame after the one that paints the first', async () => {
  const frames: (() => void)[] = []
  vi.stubGlobal('requestAnimationFrame', (run: () => void) => frames.push(run))
  const rows = Array.from({ length: 40 }, (_, at) => [{ kind: 'text', text: `row ${at}` } as const])
  const root = document.body.appendChild(document.createElement('div'))
  const drawn = () => root.querySelectorAll('tbody tr').length
  /** What is drawn once a frame and all that follows it at once is over. */
  const afterFrame = async (): Promise<number> => {
    for (const run of frames.splice(0)) run()
    await new Promise((resolve) => setTimeout(resolve, 0))
    return drawn()
  }
  try {
    draw(<Table block={{ label: 'Rows', columns: [{ label: 'Row' }], rows }} reader={reader} />, root)
    // Effects run after a frame; from there it is the second.
    const counts = [await afterFrame(), await afterFrame(), await afterFrame()]
    expect(counts).toEqual([16, 16, 40])
  } finally {
    vi.unstubAllGlobals()
    draw(null, root)
    root.remove()
  }
})

test('a table is headed by what it is a table of', () => {
  const block = {
    label: 'Relations that go with it',
    columns: [{ label: 'To' }],
    rows: [[{ kind: 'text', text: 'Mia' }]],
  } as const
  expect(text(shown(<Table block={block} reader={reader} />))).toMatch(/^Relations that go with it/)
})

describe('people', () => {
  test('new ones stand out, and that there are none does not', () => {
    const marked = (newCount: number): readonly string[] =>
      [
        ...shown(<People block={{ label: 'To', count: 2, sample: [], newCount }} reader={reader} />).querySelectorAll(
          'b',
        ),
      ].map(text)
    expect(marked(1)).toEqual(['2', 'new: 1'])
    expect(marked(0)).toEqual(['2'])
  })
})

describe('a picture', () => {
  const block = { label: 'Page 1 of 3', alt: 'The first page of plan.pdf', data: onePixel, width: 1, height: 1 }

  test('says in words what it shows, and is opened by what opens any fold', () => {
    const summary = shown(<Picture block={block} reader={reader} />).querySelector('details > summary')
    expect(text(summary as Element)).toBe('Page 1 of 3')
    expect(summary?.querySelector('img')?.getAttribute('alt')).toBe('The first page of plan.pdf')
  })

  test('hides nothing in its words, which nobody sees written', () => {
    const [alt, label] = ['plan\u202Efdp.exe', 'p\u0430y']
    const image = shown(<Picture block={{ ...block, alt: `${alt} ${label}` }} reader={reader} />).querySelector('img')
    expect(image?.getAttribute('alt')).toBe('plan[U+202E]fdp.exe p\u0430[U+0430]y')
  })

  test('need not be opened before a confirmation: what is signed is what is said', () => {
    expect(shown(<Picture block={block} reader={reader} />).querySelector('[data-read]')).toBeNull()
  })
})
