// What a card shows of several calls: each one's consequences in sight, and all that its own card would show below a fold, which
// has to be opened before Confirm.
import { cardWords, fill, quotation } from '../../cards/card-words.ts'
import { cardLimits } from '../../cards/limits.ts'
import { unmarked } from '../../cards/unmarked.ts'
import type { Words } from '../../cards/words/en.ts'
import type { CardBlock, InnerBlock } from '../../model/card.ts'
import type { Risk } from '../../model/risk.ts'
import type { Preview, Success, WriteContract } from '../../tools/contract.ts'
import type { BundleStep } from './bundle-contract.ts'
import { ownEndOf, type OwnEnd } from './step-ends.ts'

/** A step as it is shown before it runs. */
export interface ShownStep {
  readonly preview: Preview
  readonly risk: Risk
  /** What the person has changed of it on its own card. */
  readonly changed?: readonly CardBlock[]
}

/** The blocks of a card as they may stand inside of another. */
export const innerBlocks = (blocks: readonly CardBlock[]): readonly InnerBlock[] =>
  blocks.flatMap((block): readonly InnerBlock[] => {
    if (block.kind !== 'details') return [block]
    const { blocks: inner = [], ...rest } = block
    return [rest, ...inner]
  })

/** Whether a block goes on where only a card of its own could read on. */
export const isCut = (block: InnerBlock): boolean =>
  block.kind === 'pages' && (block.next !== undefined || block.opens === true)

export const picturesIn = (blocks: readonly InnerBlock[]): number =>
  blocks.filter(({ kind }) => kind === 'picture').length

const warningBlocks = ({ warnings = [] }: Preview): readonly InnerBlock[] =>
  warnings.map(({ title, text }) => ({
    kind: 'alert',
    severity: 'warning',
    title,
    ...(text === undefined ? {} : { text }),
  }))

const effectBlocks = ({ effects = [] }: Preview): readonly InnerBlock[] =>
  effects.length === 0 ? [] : [{ kind: 'effects', effects }]

/** All that a preview shows but its consequences. */
const contentOf = ({ changes = [], unchanged, blocks = [] }: Preview): readonly InnerBlock[] => [
  ...(changes.length === 0
    ? []
    : [{ kind: 'diff', changes, ...(unchanged === undefined ? {} : { unchanged }) } as const]),
  ...innerBlocks(blocks),
]

/** All that a step shows, where nothing of it is in sight. */
export const foldOf = (preview: Preview): readonly InnerBlock[] => [...contentOf(preview), ...consequences(preview)]

const consequences = (preview: Preview): readonly InnerBlock[] => [...warningBlocks(preview), ...effectBlocks(preview)]

/** Blocks that the card has beside its steps: notices, what it warns of itself. */
const others = 6

/** The body of a bundle's card. Where the consequences of all steps are too many for one, they stand below the folds. */
export function stepBlocks(steps: readonly ShownStep[], language: string): readonly CardBlock[] {
  const inSight = steps.flatMap((step, at): readonly CardBlock[] => [
    fold(step, at, contentOf(step.preview), language),
    ...consequences(step.preview),
  ])
  return inSight.length <= cardLimits.blocks - others
    ? inSight
    : steps.map((step, at) => fold(step, at, foldOf(step.preview), language))
}

const named = ({ title, subtitle }: { readonly title: string; readonly subtitle?: string }): string =>
  subtitle === undefined ? title : `${title} · ${subtitle}`

function riskWord(risk: Risk, language: string): string {
  const { riskLow, riskMedium, riskHigh, riskCritical } = cardWords(language)
  // What is forbidden is never shown.
  return { low: riskLow, medium: riskMedium, high: riskHigh, critical: riskCritical, forbidden: '' }[risk]
}

function fold(
  { preview, risk, changed }: ShownStep,
  at: number,
  inside: readonly InnerBlock[],
  language: string,
): CardBlock {
  const blocks = [...innerBlocks(changed ?? []), ...inside]
  return {
    kind: 'details',
    summary: `${at + 1}. ${named(preview)} (${riskWord(risk, language)})`,
    fields: [],
    applied: true,
    ...(blocks.length === 0 ? {} : { blocks }),
  }
}

/** What must be typed for these previews: what each of them asks for, once. */
export const typedFor = (shown: readonly { readonly preview: Preview; readonly contract: WriteContract }[]): string => {
  const phrases = shown.flatMap(({ preview: { confirmPhrase }, contract }) =>
    confirmPhrase === undefined || contract.confirmation === 'click' ? [] : [confirmPhrase],
  )
  return [...new Set(phrases)].join(', ')
}

const stepStates = { applied: 'applied', failed: 'failed', not_run: 'not-run', not_known: 'unknown' } as const

/** What became of the steps, and below folds what the tools of those that were applied say of it. */
export function resultBlocks(
  steps: readonly (BundleStep & { readonly success?: Success | undefined })[],
  language: string,
): readonly CardBlock[] {
  return [
    {
      kind: 'steps',
      steps: steps.map(({ success, ...step }) => ({
        label: success?.title ?? step.title,
        // What the call has begun may have failed by its own account.
        state: success?.failed === true ? 'failed' : stepStates[step.state],
        ...noteOf(step, language),
      })),
    },
    ...steps.flatMap(({ success }, at): readonly CardBlock[] => {
      const blocks = success === undefined ? [] : successBlocks(success)
      return success === undefined || blocks.length === 0
        ? []
        : [{ kind: 'details', summary: `${at + 1}. ${named(success)}`, fields: [], applied: false, blocks }]
    }),
  ]
}

/**
 * Why a step was not applied: in our words where the rail has ended it, because what agents are told of that is advice for them.
 * What else they are told is in English: on a card in another language it is a quotation.
 */
function noteOf({ state, error }: BundleStep, language: string): { readonly note?: string } {
  if (error === undefined) return {}
  const words = cardWords(language)
  const own = ownEndOf(error)
  if (own !== undefined) return { note: words[ownEnds[own]] }
  if (language === 'en') return { note: unmarked(error.message) }
  return { note: state === 'not_known' ? words.stepUnknown : fill(words.stepSaid, quotation(language, error.message)) }
}

const ownEnds = {
  stale: 'stepStale',
  cancelled: 'stepCancelled',
  running: 'stepRunning',
  superseded: 'failReplaced',
  expired: 'failExpired',
} as const satisfies Record<OwnEnd, keyof Words>

function successBlocks({ blocks = [], links = [] }: Success): readonly InnerBlock[] {
  // What it looks like was judged before it was signed.
  const shown = innerBlocks(blocks).filter(({ kind }) => kind !== 'picture')
  return [...shown, ...(links.length === 0 ? [] : [{ kind: 'links', links: [...links] } as const])].slice(
    0,
    cardLimits.blocks,
  )
}
