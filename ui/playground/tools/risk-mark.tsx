import type { VNode } from 'preact'
import type { CardRisk } from '../../../server/model/card.ts'
import { Pill } from '../../parts/buttons.tsx'

const tones = { low: 'plain', medium: 'plain', high: 'warn', critical: 'danger' } as const

/** How risky a tool is, as its contract says; nothing where it says nothing. */
export const RiskMark = ({ risk }: { readonly risk: CardRisk | undefined }): VNode | null =>
  risk === undefined ? null : (
    <Pill tone={tones[risk]}>
      {risk}
      <span class="sr"> risk</span>
    </Pill>
  )
