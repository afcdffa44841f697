// What a card does with a list that is longer than itself, and with work that goes on: what it asks, what it shows of the
// answers, and what it shows where nobody answers.
import { act, cleanup, fireEvent, render, screen } from '@testing-library/preact'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { readToolResult } from '../../ui/bridge/post-message.ts'
import type { AppToolArguments, ToolAnswer } from '../../ui/bridge/host.ts'
import { App } from '../../ui/card/app.tsx'
import type { Card, CardBlock } from '../../server/model/card.ts'
import { createOrder, resultOf } from '../hosts/cards.ts'
import { campaignReads, goingOn, longList, readList } from '../../ui/playground/gallery/reading.ts'
import { fakeHost, type FakeHost } from './fake-host.ts'

const answered = (meta: Readonly<Record<string, unknown>>, planId: string, state = 'open'): ToolAnswer => {
  const result = readToolResult({
    content: [],
    structuredContent: { plan_id: planId, state, changed_at: '2026-11-21T12:03:00Z', clicked: false },
    _meta: meta,
  })
  return result === undefined ? { kind: 'timeout' } : { kind: 'answered', result }
}

const planId = createOrder.plan?.id ?? ''
const list: Card = { ...createOrder, blocks: longList.blocks }

/** What the card has asked, without its looks at the plan. */
type Asked = AppToolArguments[]

const hostThat = (reads: (args: AppToolArguments) => ToolAnswer): { host: FakeHost; asked: Asked } => {
  const asked: Asked = []
  const host = fakeHost({
    serverTools: true,
    callTool: async (name, args) => {
      if (name === 'countersign_plan_status') return answered({}, planId)
      asked.push(args)
      return reads(args)
    },
  })
  return { host, asked }
}

const open = async (host: FakeHost, card: Card): Promise<void> => {
  render(<App host={host} now={() => 1_000_000} />)
  await act(() => Promise.resolve())
  await act(() => host.sendResult(resultOf(card)))
  await act(() => Promise.resolve())
}

const advance = async (ms: number): Promise<void> => void (await vi.advanceTimersByTimeAsync(ms))

/** Lets time pass, and the card draw each second of it. */
const pass = async (seconds: number): Promise<void> => {
  for (let at = 0; at < seconds; at++) await act(() => advance(1_000))
}

const press = async (name: string | RegExp): Promise<void> => {
  await act(async () => void fireEvent.click(screen.getByRole('button', { name })))
  await act(() => advance(0))
}

const shown = (): string => document.body.textContent ?? ''

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

describe('a list that is longer than its card', () => {
  const paging = () => hostThat((args) => answered(readList('', { ...args }), planId))

  test('says how many there are and how many are left, and need not be read through before Confirm', async () => {
    await open(paging().host, list)
    expect(shown()).toContain('Recipients: 4,821')
    expect(shown()).toContain('and 4,801 more')
    expect(shown()).not.toContain('Open and read what is folded')
  })

  test('reads on with the ticket from where the rows end', async () => {
    const { host, asked } = paging()
    await open(host, list)
    await press('Show more')
    expect(asked).toStrictEqual([{ ticket: createOrder.plan?.ticket, list: 'recipients', after: '19' }])
    expect(shown()).toContain('person-120@')
    expect(shown()).toContain('and 4,701 more')
  })

  test('opens one row in full, closes it, and shows the last one that was asked for', async () => {
    const { host, asked } = paging()
    await open(host, list)
    const row = screen.getByRole('button', { name: 'Mia Olsen' })
    expect(row.getAttribute('aria-expanded')).toBe('false')
    await press('Mia Olsen')
    expect(asked.at(-1)).toStrictEqual({ ticket: createOrder.plan?.ticket, list: 'recipients', key: '0' })
    expect(row.getAttribute('aria-expanded')).toBe('true')
    expect(shown()).toContain('Hello Mia Olsen')
    // It stands below the list: whoever hears the page is told of it.
    expect(screen.getByText('Hello Mia Olsen', { exact: false }).closest('[role=status]')).not.toBeNull()
    await press('Jörg Krüger')
    expect(shown()).toContain('Hello Jörg Krüger')
    expect(shown()).not.toContain('Hello Mia Olsen')
    await press('Jörg Krüger')
    expect(shown()).not.toContain('Hello Jörg')
  })

  test.each<[string, ToolAnswer]>([
    ['a timeout', { kind: 'timeout' }],
    ['a refusal', { kind: 'refused', reason: undefined }],
    ['nothing to read', answered({}, planId)],
    ['rows that are none', answered({ 'countersign/page': { rows: [{ key: 1 }] } }, planId)],
    ['rows of other columns', answered({ 'countersign/page': { rows: [{ key: 'a', cells: [] }] } }, planId)],
  ])('answered with %s it keeps what it has, says so, and can be asked again', async (_what, answer) => {
    const { host } = hostThat(() => answer)
    await open(host, list)
    await press('Show more')
    expect(shown()).toContain('No answer yet')
    expect(shown()).toContain('and 4,801 more')
    expect(screen.getByRole('button', { name: /Show more/ })).toHaveProperty('disabled', false)
  })

  test('in a host without tools of the server shows the first rows, and which tool lists the rest', async () => {
    await open(fakeHost(), list)
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Mia Olsen' })).toBeNull()
    expect(shown()).toContain('and 4,801 more')
    expect(shown()).toContain('segments_preview lists them all.')
  })

  test('shows a value that looks like markup as text, in a row and in what it stands for', async () => {
    const evil = '<img src=x onerror=alert(1)>'
    const cells = [1, 2, 3].map(() => ({ kind: 'text', text: evil }))
    const { host } = hostThat(({ key }) =>
      answered(
        {
          'countersign/page':
            key === undefined ? { rows: [{ key: 'e', cells }] } : { blocks: [{ kind: 'text', text: evil }] },
        },
        planId,
      ),
    )
    await open(host, list)
    await press('Show more')
    await press('Mia Olsen')
    expect(shown()).toContain(evil)
    expect(document.querySelector('img')).toBeNull()
  })
})

describe('work that goes on after its call', () => {
  const following = (reads: () => Readonly<Record<string, unknown>>) =>
    hostThat(() => answered(reads(), 'pl_gallery', 'applied'))

  test('is asked for until it is through, and then no more', async () => {
    const reads = campaignReads()
    const { host, asked } = following(() => reads('', {}))
    await open(host, goingOn)
    await pass(1)
    expect(asked[0]).toStrictEqual({ ticket: 'pl_gallery' })
    expect(shown()).toContain('802 / 4,809')
    expect(screen.getByRole('button', { name: 'Stop…' })).toBeTruthy()
    await pass(20)
    expect(shown()).toContain('Sent "Autumn news"')
    expect(screen.queryByRole('button', { name: 'Stop…' })).toBeNull()
    const { length } = asked
    expect(length).toBe(6)
    await pass(60)
    expect(asked).toHaveLength(length)
  })

  test('is asked for less and less often while nobody answers, and at last not at all', async () => {
    const { host, asked } = hostThat(() => ({ kind: 'timeout' }))
    await open(host, goingOn)
    await pass(10)
    expect(asked.length).toBeLessThan(5)
    await act(() => advance(3_600_000))
    expect(asked.length).toBeLessThan(12)
    expect(shown()).toContain('0 / 4,809')
  })

  test('sends a preview and nothing else by its buttons', async () => {
    const reads = campaignReads()
    const { host } = following(() => reads('', {}))
    await open(host, goingOn)
    await pass(1)
    await press('Stop…')
    expect(host.messages).toStrictEqual(['Preview: call emails_stop_campaign(campaignId="cp_0123456789abcdef0123")'])
  })

  test('says that a message was sent until what it asked for has come', async () => {
    const reads = campaignReads()
    const { host } = following(() => reads('', {}))
    await open(host, goingOn)
    await pass(1)
    await press('Stop…')
    await pass(1)
    expect(shown()).toContain('Sent to the chat')
    await pass(20)
    expect(shown()).toContain('Sent "Autumn news"')
    expect(shown()).not.toContain('Sent to the chat')
  })

  test.each<[string, Partial<Card>]>([
    ['another plan', { plan_id: 'pl_another' }],
    ['no readable card', { blocks: [{ kind: 'text' } as unknown as CardBlock] }],
  ])('an answer with %s changes nothing', async (_what, change) => {
    const { host } = following(() => ({ 'countersign/card': { ...goingOn, title: 'Somebody else', ...change } }))
    await open(host, goingOn)
    await pass(3)
    expect(shown()).toContain('Sending "Autumn news"')
    expect(shown()).not.toContain('Somebody else')
  })

  test('is not asked for in a host without tools of the server', async () => {
    const host = fakeHost()
    await open(host, goingOn)
    await pass(10)
    expect(host.calls).toStrictEqual([])
  })
})
