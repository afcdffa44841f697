import type { VNode } from 'preact'
import type { CardRisk } from '../../../server/model/card.ts'

const words: Readonly<Record<CardRisk, string>> = {
  low: 'low',
  medium: 'medium',
  high: 'high',
  critical: 'critical',
}

/** How risky a tool is, as its contract says; nothing where it says nothing. */
export const RiskMark = ({ risk }: { readonly risk: CardRisk | undefined }): VNode | null =>
  risk === undefined ? null : (
    <span class={`risk ${risk}`}>
      {words[risk]}
      <span class="unseen"> risk</span>
    </span>
  )
