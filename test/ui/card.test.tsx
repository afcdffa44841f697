// The card in a document without a browser: what is drawn for what arrives. What only a trusted click can do is tested
// in Chromium.
import { act, cleanup, render, screen, within } from '@testing-library/preact'
import * as fc from 'fast-check'
import { render as draw } from 'preact'
import { afterEach, describe, expect, test } from 'vitest'
import { runsOf } from '../full.ts'
import type { Host } from '../../ui/bridge/host.ts'
import { readToolResult } from '../../ui/bridge/post-message.ts'
import { App } from '../../ui/card/app.tsx'
import { ErrorBoundary } from '../../ui/card/error-boundary.tsx'
import { CARD_META } from '../../ui/card/read-result.ts'
import { contrast } from '../../server/cards/contrast.ts'
import {
  blockedOrder,
  changeOrder,
  createOrder,
  deleteOrder,
  orderChanged,
  orderFailed,
  resultOf,
  withoutMeta,
} from '../hosts/cards.ts'
import { anyBrokenCard, anyCard } from './arbitrary-card.ts'
import { type FakeHost, fakeHost } from './fake-host.ts'

const open = async (host: FakeHost, result?: unknown): Promise<void> => {
  render(
    <ErrorBoundary>
      <App host={host} now={() => 1_000_000} />
    </ErrorBoundary>,
  )
  await act(() => Promise.resolve())
  if (result !== undefined) await act(() => host.sendResult(result))
}

const confirmButton = (name: string): HTMLElement | null => screen.queryByRole('button', { name })
const bodyText = (): string => (document.body.textContent ?? '').replaceAll('\u00A0', ' ')

afterEach(cleanup)

describe('what a card shows', () => {
  test('identity, changes, consequences, the claim as a quotation, the decision', async () => {
    await open(fakeHost(), resultOf(createOrder))
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Create a sales order for ACME')
    expect(bodyText()).toContain('Order desk · changes nothing until you confirm')
    expect(bodyText()).toContain('€998.00')
    expect(bodyText()).toContain('Stock of DESK-01 goes from 9 to 7')
    expect(screen.getByText(/The agent says/).querySelector('q')?.textContent).toBe(createOrder.claim)
    expect(bodyText()).toContain('Valid for 14:32')
    expect(confirmButton('Create order')).not.toBeNull()
    expect(confirmButton('Cancel')).not.toBeNull()
  })

  test('the server as its operator calls it, also where it calls itself by a longer name', async () => {
    await open(fakeHost(), resultOf({ ...createOrder, source: 'git', subtitle: 'git-work 1.0' }))
    expect(bodyText()).toContain('git · git-work 1.0')
  })

  test('a call that took effect and whose program failed is called failed, and not applied', async () => {
    await open(fakeHost(), resultOf({ ...orderChanged, state: 'failed' }))
    expect(document.querySelector('.pill')?.textContent).toBe('Failed')
    expect(bodyText()).not.toContain('Applied')
  })

  test('what an operator said who stopped all changes stands in the card', async () => {
    const stopped = {
      content: [],
      structuredContent: {
        plan_id: createOrder.plan?.id,
        state: 'cancelled',
        changed_at: '2026-11-21T12:03:00Z',
        clicked: false,
        reason: 'Stocktaking until noon.',
      },
    }
    const answered = readToolResult(stopped)
    if (answered === undefined) throw new Error('The fake host speaks no result.')
    await open(
      fakeHost({ serverTools: true, callTool: () => Promise.resolve({ kind: 'answered', result: answered }) }),
      resultOf(createOrder),
    )
    expect((await screen.findByText('Stocktaking until noon.')).closest('q')).not.toBeNull()
    expect(bodyText()).toContain('can no longer be applied')
    expect(confirmButton('Create order')).toBeNull()
  })

  test.each([
    [createOrder, 'Preview'],
    [changeOrder, 'Preview · high risk'],
    [deleteOrder, 'Preview · critical'],
    [blockedOrder, 'Blocked'],
    [orderChanged, 'Applied 12:03'],
    [orderFailed, 'Failed'],
  ])('the pill says where it stands: %#', async (card, pill) => {
    await open(fakeHost(), resultOf(card))
    expect(document.querySelector('.pill')?.textContent).toBe(pill)
  })

  test('a blocked card has no Confirm, says why, and what was changed', async () => {
    await open(fakeHost(), resultOf({ ...blockedOrder, state: 'ready' }))
    expect(confirmButton('Create order')).toBeNull()
    expect(bodyText()).toContain('3 of 12 lines have no stock.')
    expect(bodyText()).toContain('Nothing was changed')
  })

  test('an error card shows its code and offers its details', async () => {
    await open(fakeHost(), resultOf(orderFailed))
    expect(within(document.querySelector('footer') as HTMLElement).getByText('unknown_sku')).not.toBeNull()
    expect(confirmButton('Copy details')).not.toBeNull()
    expect(confirmButton('Preview again')).not.toBeNull()
  })

  test('a click that no person made does not confirm', async () => {
    const host = fakeHost()
    await open(host, resultOf(createOrder))
    confirmButton('Create order')?.click()
    await act(() => Promise.resolve())
    expect(host.messages).toEqual([])
  })

  test('the new state is said in a live region', async () => {
    await open(fakeHost(), resultOf(createOrder))
    const region = screen.getByRole('status')
    expect(region.getAttribute('aria-live')).toBe('polite')
    expect(region.textContent).toContain('Create a sales order for ACME. Preview.')
  })

  test('is waiting before a result, and says when the call was stopped', async () => {
    const host = fakeHost()
    await open(host)
    expect(bodyText()).toContain('Waiting for the result')
    await act(() => host.cancelTool('by the user'))
    expect(bodyText()).toContain('The call was stopped before it answered. by the user')
  })

  test('with what came before it is drawn, is whole at the first drawing', () => {
    const result = readToolResult(resultOf(createOrder))
    const listening = new Set<object>()
    const host: Host = {
      ...fakeHost(),
      listen: (listener) => {
        listening.add(listener)
        if (result) listener.onToolResult?.(result)
        return () => void listening.delete(listener)
      },
    }
    const root = document.createElement('div')
    const welcome = { serverTools: false, context: { locale: 'en-GB', timeZone: 'UTC', variables: {} } }
    draw(<App host={host} now={() => 0} welcome={welcome} />, root)
    expect(root.querySelector('h1')?.textContent).toBe(createOrder.title)
    expect(listening.size).toBe(1)
    draw(null, root)
    expect(listening.size).toBe(0)
  })

  test('works in a host that never answers the greeting', async () => {
    await open(fakeHost({ greets: false }), resultOf(createOrder))
    expect(bodyText()).toContain('Checking…')
  })
})

describe('results without a card', () => {
  test('show what the envelope says, the way out, and no Confirm', async () => {
    const result = withoutMeta(resultOf(changeOrder))
    const [block] = changeOrder.blocks
    const changes = block?.kind === 'diff' ? block.changes : []
    await open(fakeHost(), {
      ...result,
      structuredContent: {
        ...result.structuredContent,
        changes,
        warnings: [{ title: 'Too high.', text: 'Ask.' }, 'Odd'],
      },
    })
    expect(bodyText()).toContain('Change order SO-1042')
    expect(bodyText()).toContain('becomes 5 Dec 2026')
    expect(bodyText()).toContain('Too high. Ask.')
    expect(bodyText()).toContain('This view did not receive the card that can be confirmed.')
    expect(screen.queryAllByRole('button')).toEqual([])
  })

  test('show an error with its guidance', async () => {
    await open(fakeHost(), {
      isError: true,
      content: [],
      structuredContent: {
        status: 'failed',
        error: { code: 'unknown_sku', message: 'SKU DESK-1 does not exist.' },
        error_guidance: { actionable_guidance: ['Search products'] },
      },
    })
    expect(bodyText()).toContain('SKU DESK-1 does not exist.')
    expect(bodyText()).toContain('• Search products')
    expect(bodyText()).not.toContain('did not receive the card')
  })

  test('show the text where there is nothing else, and say so where there is nothing at all', async () => {
    await open(fakeHost(), { content: [{ type: 'text', text: 'Order **SO-1** would be created' }] })
    expect(bodyText()).toContain('Order SO-1 would be created')
    cleanup()
    await open(fakeHost(), { content: [] })
    expect(bodyText()).toContain('Nothing arrived that can be read.')
  })
})

describe('never a blank frame', () => {
  test('any card that the schema allows is drawn', async () => {
    await fc.assert(
      fc.asyncProperty(anyCard, async (card) => {
        await open(fakeHost(), { content: [], _meta: { [CARD_META]: card } })
        expect(document.querySelector('h1')).not.toBeNull()
        expect(bodyText()).not.toContain('This card cannot be shown')
        cleanup()
      }),
      { numRuns: runsOf(150) },
    )
  })

  test('a broken one is drawn or refused in words, and nothing throws', async () => {
    await fc.assert(
      fc.asyncProperty(anyBrokenCard, async (card) => {
        await open(fakeHost(), { content: [], _meta: { [CARD_META]: card } })
        expect(document.querySelector('main')?.textContent?.trim()).not.toBe('')
        cleanup()
      }),
      { numRuns: runsOf(250) },
    )
  })

  test('a mistake while drawing is a sentence', () => {
    const Broken = (): never => {
      throw new Error('drawn wrong')
    }
    const said: string[] = []
    render(
      <ErrorBoundary onFell={() => said.push(bodyText())}>
        <Broken />
      </ErrorBoundary>,
    )
    expect(bodyText()).toContain('This card cannot be shown')
    // By then the host can be told how high it is.
    expect(said).toEqual([bodyText()])
  })
})

describe('contrast', () => {
  test('is counted as WCAG counts it', () => {
    expect(contrast([0, 0, 0], [255, 255, 255])).toBeCloseTo(21)
    expect(contrast([255, 255, 255], [255, 255, 255])).toBe(1)
    expect(contrast([118, 118, 118], [255, 255, 255])).toBeGreaterThan(4.5)
  })
})
