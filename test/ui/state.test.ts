// The card's behaviour as a function: every state against every event in one table, and the promise that matters most,
// that a plan which was used, cancelled, replaced or has expired never shows a live Confirm again, under any order. Long
// because the table is the whole of it.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { PlanPhase } from '../../ui/card/plan-phase.ts'
import { openPhases, phaseOrder } from '../../ui/card/plan-phase.ts'
import type { PlanState } from '../../server/model/plan-store.ts'
import type { PlanStatus, Reading } from '../../ui/card/read-result.ts'
import { readResult } from '../../ui/card/read-result.ts'
import { canCancel, canConfirm, initial, reduce, type Event, type State } from '../../ui/card/state.ts'
import type { Card } from '../../server/model/card.ts'
import { blockedOrder, createOrder, orderChanged, orderFailed, resultOf, withoutMeta } from '../hosts/cards.ts'

const T0 = 1_000_000
const read = (result: ReturnType<typeof resultOf>): Reading =>
  readResult({
    content: result.content,
    structuredContent: result.structuredContent,
    meta: result._meta ?? {},
    isError: result.isError === true,
  })

const result = (card: Card): Event => ({ type: 'result', reading: read(resultOf(card)), now: T0 })
const status = (state: PlanState, more: Partial<PlanStatus> = {}): Event => ({
  type: 'status',
  status: {
    planId: 'pl_7qk2',
    state,
    changedAt: '2026-11-21T12:03:00Z',
    expiresInMs: 600_000,
    clicked: false,
    ...more,
  },
  now: T0,
})
const message = (kind: 'accepted' | 'refused' | 'timeout', attempt = 1): Event => ({
  type: 'message',
  attempt,
  answer: kind === 'refused' ? { kind, reason: 'busy' } : { kind },
  now: T0,
})

const run = (...events: Event[]): State => events.reduce(reduce, initial)
const mounted = run({ type: 'welcome', tools: true }, result(createOrder))
const phaseOf = (state: State): PlanPhase | undefined => (state.view.kind === 'card' ? state.view.phase : undefined)
const placed = (phase: PlanPhase): State =>
  mounted.view.kind === 'card' ? { ...mounted, view: { ...mounted.view, phase } } : mounted

/** One of each phase that the plan of a preview card can have. */
const phases: Readonly<Record<PlanPhase['at'], PlanPhase>> = {
  checking: { at: 'checking' },
  ready: { at: 'ready', checked: 'yes' },
  refused: { at: 'refused', reason: 'busy' },
  pending: { at: 'pending', attempt: 1 },
  sent: { at: 'sent', attempt: 1, since: T0, heard: 'accepted', lapsed: false },
  cancelled: { at: 'cancelled', revoked: undefined, messageAnswer: 'not-yet', wasSent: false },
  expired: { at: 'expired' },
  superseded: { at: 'superseded' },
  applying: { at: 'applying' },
  unknown: { at: 'unknown' },
  applied: { at: 'applied', when: '' },
  failed: { at: 'failed', when: '' },
  stale: { at: 'stale', when: '' },
  blocked: { at: 'blocked' },
  shown: { at: 'shown' },
}

const endOf = (kind: 'success' | 'error'): Event => result(kind === 'success' ? orderChanged : orderFailed)
const late = T0 + 3_600_000

const events: Readonly<Record<string, Event>> = {
  'welcome+tools': { type: 'welcome', tools: true },
  'welcome-tools': { type: 'welcome', tools: false },
  'its own preview again': result(createOrder),
  'a foreign preview': result({ ...createOrder, plan: { id: 'pl_other', ticket: 'cs1_other', expires_in_ms: 9 } }),
  'a foreign success': result({ ...orderChanged, plan_id: 'pl_other' }),
  'its success': endOf('success'),
  'its error': endOf('error'),
  'its success without a card': {
    type: 'result',
    reading: read({ content: [], structuredContent: { status: 'applied', plan_id: 'pl_7qk2' } }),
    now: T0,
  },
  interrupted: { type: 'interrupted', reason: undefined },
  open: status('open'),
  'open+clicked': status('open', { clicked: true }),
  applying: status('applying'),
  applied: status('applied'),
  failed: status('failed'),
  stale: status('stale'),
  unknown: status('unknown'),
  cancelled: status('cancelled'),
  superseded: status('superseded'),
  expired: status('expired'),
  'a foreign status': status('applied', { planId: 'pl_other' }),
  unanswered: { type: 'unanswered' },
  confirm: { type: 'confirm', now: T0 },
  'confirm too late': { type: 'confirm', now: late },
  again: { type: 'again', now: T0 },
  'again too late': { type: 'again', now: late },
  accepted: message('accepted'),
  refused: message('refused'),
  timeout: message('timeout'),
  'an old answer': message('refused', 7),
  cancel: { type: 'cancel' },
  'not-revoked': { type: 'not-revoked' },
  'message-answered': { type: 'message-answered', answer: { kind: 'accepted' } },
  tick: { type: 'tick', now: T0 + 1 },
  'its time is over': { type: 'tick', now: late },
  aside: { type: 'aside', aside: { kind: 'copied' } },
}

const moves = {
  applying: 'applying',
  applied: 'applied',
  failed: 'failed',
  stale: 'stale',
  unknown: 'unknown',
  cancelled: 'cancelled',
  superseded: 'superseded',
  expired: 'expired',
  'its success': 'shown',
  'its error': 'shown',
  'its success without a card': 'applied',
} as const

/** What ends a preview that nobody has confirmed. */
const endings = {
  ...moves,
  cancel: 'cancelled',
  'confirm too late': 'expired',
  'again too late': 'expired',
  'its time is over': 'expired',
} as const

/** Where each phase goes; an event that is not named leaves it where it is. */
const table: Readonly<Record<PlanPhase['at'], Readonly<Record<string, PlanPhase['at']>>>> = {
  checking: { ...endings, 'welcome-tools': 'ready', open: 'ready', 'open+clicked': 'sent', unanswered: 'ready' },
  ready: { ...endings, confirm: 'pending' },
  refused: { ...endings, confirm: 'pending' },
  pending: { ...moves, accepted: 'sent', timeout: 'sent', refused: 'refused', cancel: 'cancelled' },
  sent: { ...moves, again: 'pending', cancel: 'cancelled' },
  cancelled: { ...moves, expired: 'cancelled' },
  expired: { ...moves, cancelled: 'expired' },
  superseded: { ...moves, cancelled: 'superseded', expired: 'superseded' },
  applying: {
    applied: 'applied',
    failed: 'failed',
    stale: 'stale',
    unknown: 'unknown',
    'its success': 'shown',
    'its error': 'shown',
    'its success without a card': 'applied',
  },
  unknown: {
    applied: 'applied',
    failed: 'failed',
    stale: 'stale',
    'its success': 'shown',
    'its error': 'shown',
    'its success without a card': 'applied',
  },
  applied: { 'its success': 'shown', 'its error': 'shown' },
  failed: { 'its success': 'shown', 'its error': 'shown' },
  stale: { 'its success': 'shown', 'its error': 'shown' },
  blocked: { 'its success': 'shown', 'its error': 'shown' },
  shown: {},
}

describe('every state against every event', () => {
  for (const at of Object.keys(phases) as PlanPhase['at'][]) {
    for (const [name, event] of Object.entries(events)) {
      const target = table[at][name] ?? at
      test(`${at}, ${name}: ${target}`, () => {
        expect(phaseOf(reduce(placed(phases[at]), event))?.at).toBe(target)
      })
    }
  }
})

describe('the promises of the reducer', () => {
  const anyEvent = fc.oneof(
    fc.constantFrom(...Object.values(events)),
    fc.record({
      type: fc.constant('message' as const),
      attempt: fc.integer({ min: 0, max: 3 }),
      answer: fc.constantFrom({ kind: 'accepted' as const }, { kind: 'timeout' as const }),
      now: fc.constant(T0),
    }),
  )

  test('a used plan never has a live Confirm, whatever arrives afterwards', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 40 }), (sequence) => {
        let state = mounted
        let used = false
        for (const event of sequence) {
          const before = phaseOf(state)
          state = reduce(state, event)
          const after = phaseOf(state)
          used ||= after !== undefined && !openPhases.has(after.at)
          if (used) expect(canConfirm(state.view)).toBe(false)
          if (before && after) expect(phaseOrder[after.at]).toBeGreaterThanOrEqual(phaseOrder[before.at])
        }
      }),
      { numRuns: 2_000 },
    )
  })

  test('a second confirm, again or cancel changes nothing', () => {
    for (const name of ['confirm', 'again', 'cancel'] as const) {
      for (const phase of Object.values(phases)) {
        const once = reduce(placed(phase), events[name] as Event)
        expect(reduce(once, events[name] as Event)).toBe(once)
      }
    }
  })

  test('the first card latches: what follows in no order brings another plan in', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 30 }), (sequence) => {
        const state = sequence.reduce(reduce, mounted)
        const card = state.view.kind === 'card' ? state.view.card : undefined
        expect([card?.plan?.id, card?.plan_id]).toContain('pl_7qk2')
      }),
    )
  })

  test('nothing but the two deciding states can be confirmed, nothing begun can be cancelled', () => {
    for (const phase of Object.values(phases)) {
      const { view } = placed(phase)
      expect(canConfirm(view)).toBe(phase.at === 'ready' || phase.at === 'refused')
      expect(canCancel(view)).toBe(openPhases.has(phase.at))
    }
  })
})

describe('where a card starts', () => {
  const start = (card: Card, tools: boolean | undefined): PlanPhase | undefined =>
    phaseOf(run(...(tools === undefined ? [] : [{ type: 'welcome', tools } as const]), result(card)))

  test('it is checked first where the server can be asked, or where that is not known yet', () => {
    expect(start(createOrder, true)).toEqual({ at: 'checking' })
    expect(start(createOrder, undefined)).toEqual({ at: 'checking' })
    expect(start(createOrder, false)).toEqual({ at: 'ready', checked: 'not-possible' })
  })

  test('a block alert removes Confirm, whatever the state says', () => {
    expect(start({ ...blockedOrder, state: 'ready' }, false)).toEqual({ at: 'blocked' })
  })

  test('a preview without plan or message cannot be confirmed', () => {
    const { plan: _plan, ...planless } = createOrder
    expect(_plan).toBeDefined()
    expect(start(planless, false)).toEqual({ at: 'shown' })
    expect(start({ ...createOrder, actions: [] }, false)).toEqual({ at: 'shown' })
  })

  test.each(['applied', 'failed', 'cancelled', 'expired', 'superseded', 'applying', 'unknown', 'info'] as const)(
    'a preview that says %s is not confirmable',
    (state) => {
      expect(canConfirm(run({ type: 'welcome', tools: false }, result({ ...createOrder, state })).view)).toBe(false)
    },
  )

  test('a click that the server remembers is shown as sent, with Send again', () => {
    const state = run({ type: 'welcome', tools: true }, result(createOrder), status('open', { clicked: true }))
    expect(phaseOf(state)).toMatchObject({ at: 'sent', heard: 'earlier' })
    expect(phaseOf(reduce(state, { type: 'again', now: T0 }))).toEqual({ at: 'pending', attempt: 1 })
  })

  test('the server corrects how long it is valid', () => {
    const state = run({ type: 'welcome', tools: true }, result(createOrder), status('open', { expiresInMs: 5_000 }))
    expect(state.view).toMatchObject({ until: T0 + 5_000 })
  })
})

describe('results without a card', () => {
  const plain: Event = { type: 'result', reading: read(withoutMeta(resultOf(createOrder))), now: T0 }
  const empty: Event = { type: 'result', reading: read({ content: [] }), now: T0 }

  test('are shown, and are never confirmable', () => {
    const state = run({ type: 'welcome', tools: true }, plain)
    expect(state.view.kind).toBe('plain')
    for (const event of Object.values(events)) {
      if (event.type !== 'result') expect(canConfirm(reduce(state, event).view)).toBe(false)
    }
  })

  test('give way to their own card, not to a stranger', () => {
    const state = run(plain)
    expect(reduce(state, result({ ...createOrder, plan: { id: 'pl_x', ticket: 't', expires_in_ms: 1 } }))).toBe(state)
    expect(reduce(state, result(createOrder)).view.kind).toBe('card')
  })

  test('an empty one gives way to any first card', () => {
    expect(reduce(run(empty), result(createOrder)).view.kind).toBe('card')
  })

  test("the card's own tool calls, echoed as results, are nobody's result", () => {
    const echo: Event = {
      type: 'result',
      reading: read({ content: [], structuredContent: { plan_id: 'pl_7qk2', state: 'open', changed_at: '' } }),
      now: T0,
    }
    expect(run(echo).view.kind).toBe('waiting')
  })

  test('a malformed card says where, and gives way to a whole one', () => {
    const broken = { ...resultOf(createOrder), _meta: { 'countersign/card': { ...createOrder, blocks: 3 } } }
    const state = run({ type: 'result', reading: read(broken), now: T0 })
    expect(state.view).toMatchObject({ kind: 'malformed', at: '/blocks' })
    expect(reduce(state, result(createOrder)).view.kind).toBe('card')
  })

  test('a call that was stopped says so, until a result comes after all', () => {
    const state = run({ type: 'interrupted', reason: 'by the user' })
    expect(state.view).toEqual({ kind: 'interrupted', reason: 'by the user' })
    expect(reduce(state, result(createOrder)).view.kind).toBe('card')
  })
})

describe('what the chat answered to a message beside the decision', () => {
  const answered = { text: 'Preview: call x()', answer: { kind: 'accepted' } } as const
  const asked = reduce(mounted, { type: 'aside', aside: { kind: 'answered' }, answered })

  test.each<[string, State['aside']]>([
    ['copied', { kind: 'copied' }],
    ['could not be copied', { kind: 'uncopied', text: answered.text }],
    ['had a link that does not open', { kind: 'unopened', url: 'https://a.example' }],
    ['heard of Enter', { kind: 'enter' }],
    ['said it for long enough', { kind: 'none' }],
  ])('stays in sight once the person has %s', (_, aside) => {
    expect(reduce(asked, { type: 'aside', aside })).toMatchObject({ aside, answered })
  })

  test('goes with the next message, and when the plan moves on', () => {
    expect(reduce(asked, { type: 'aside', aside: { kind: 'sending' } }).answered).toBeUndefined()
    expect(reduce(asked, status('applied')).answered).toBeUndefined()
  })
})
