import type { VNode } from 'preact'
import type { ShownRisk } from './tool-facts.ts'

const words: Readonly<Record<ShownRisk, string>> = {
  low: 'low',
  medium: 'medium',
  high: 'high',
  critical: 'critical',
}

/** How risky a tool is, as its contract says; nothing where it says nothing. */
export const RiskMark = ({ risk }: { readonly risk: ShownRisk | undefined }): VNode | null =>
  risk === undefined ? null : (
    <span class={`risk ${risk}`}>
      {words[risk]}
      <span class="unseen"> risk</span>
    </span>
  )
