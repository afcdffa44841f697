import type { VNode } from 'preact'
import type { CardRisk } from '../../../server/model/card.ts'

/** How risky a tool is, as its contract says; nothing where it says nothing. */
export const RiskMark = ({ risk }: { readonly risk: CardRisk | undefined }): VNode | null =>
  risk === undefined ? null : (
    <span class={`risk ${risk}`}>
      {risk}
      <span class="sr"> risk</span>
    </span>
  )
