// What a card shows of several calls: each one's consequences in sight, and all that its own card would show below a fold, which
// has to be opened before Confirm.
import { cardLimits } from '../../cards/limits.ts'
import { unmarked } from '../../cards/unmarked.ts'
import type { CardBlock, InnerBlock } from '../../model/card.ts'
import type { Risk } from '../../model/risk.ts'
import type { Preview, Success } from '../../tools/contract.ts'
import type { BundleStep } from './bundle-contract.ts'

/** A step as it is shown before it runs. */
export interface ShownStep {
  readonly preview: Preview
  readonly risk: Risk
}

/** The blocks of a preview as they may stand inside of another. Lists are read on on a card of their own, so here they end. */
export function innerBlocks(blocks: readonly CardBlock[]): readonly InnerBlock[] {
  return blocks.flatMap((block): readonly InnerBlock[] => {
    switch (block.kind) {
      case 'details': {
        const { blocks: inner = [], ...rest } = block
        return [rest, ...inner]
      }
      case 'pages': {
        const { next: _, opens: __, ...rest } = block
        return [rest]
      }
      default:
        return [block]
    }
  })
}

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

/** The body of a bundle's card. */
export function stepBlocks(steps: readonly ShownStep[]): readonly CardBlock[] {
  const inSight = steps.flatMap((step, at) => foldedStep(step, at, contentOf, after))
  // Where the consequences of all of them are too many for a card, they stand below the folds too.
  return withPictures(
    inSight.length <= cardLimits.blocks - 2
      ? inSight
      : steps.flatMap((step, at) =>
          foldedStep(
            step,
            at,
            (preview) => [...contentOf(preview), ...after(preview)],
            () => [],
          ),
        ),
  )
}

const after = (preview: Preview): readonly InnerBlock[] => [...warningBlocks(preview), ...effectBlocks(preview)]

function foldedStep(
  { preview, risk }: ShownStep,
  at: number,
  inside: (preview: Preview) => readonly InnerBlock[],
  below: (preview: Preview) => readonly InnerBlock[],
): readonly CardBlock[] {
  const { subtitle } = preview
  const blocks = [...(subtitle === undefined ? [] : [{ kind: 'text', text: subtitle } as const]), ...inside(preview)]
  return [
    {
      kind: 'details',
      summary: `${at + 1}. ${preview.title} (${risk})`,
      fields: [],
      applied: true,
      ...(blocks.length === 0 ? {} : { blocks }),
    },
    ...below(preview),
  ]
}

/** A card has room for a few pictures; the others are named. */
function withPictures(blocks: readonly CardBlock[]): readonly CardBlock[] {
  let left = cardLimits.pictures
  const shown = (block: InnerBlock): InnerBlock =>
    block.kind !== 'picture' || left-- > 0
      ? block
      : { kind: 'text', text: `${unmarked(block.label)}: ${unmarked(block.alt)}` }
  return blocks.map((block) =>
    block.kind === 'details' && block.blocks !== undefined ? { ...block, blocks: block.blocks.map(shown) } : block,
  )
}

const stepStates = { applied: 'applied', failed: 'failed', not_run: 'not-run', not_known: 'unknown' } as const

/** What became of the steps, and below folds what the tools of those that were applied say of it. */
export function resultBlocks(
  steps: readonly (BundleStep & { readonly success?: Success | undefined })[],
): readonly CardBlock[] {
  return withPictures([
    {
      kind: 'steps',
      steps: steps.map(({ title, state, error, success }) => ({
        label: success?.title ?? title,
        state: stepStates[state],
        ...(error === undefined ? {} : { note: unmarked(error.message) }),
      })),
    },
    ...steps.flatMap(({ success }, at): readonly CardBlock[] =>
      success?.blocks === undefined || success.blocks.length === 0
        ? []
        : [
            {
              kind: 'details',
              summary: `${at + 1}. ${success.title}`,
              fields: [],
              applied: false,
              blocks: innerBlocks(success.blocks),
            },
          ],
    ),
  ])
}
