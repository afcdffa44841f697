import type { VNode } from 'preact'
import { riskWords } from '../../../server/model/risk.ts'
import { Pill } from '../../parts/buttons.tsx'
import type { ToolFacts } from './tool-facts.ts'

const tones = { low: 'plain', medium: 'plain', high: 'warn', critical: 'danger' } as const

/** How risky a tool is, as its contract says; nothing where it says nothing. */
export const RiskMark = ({ tool: { risk, riskByInput } }: { readonly tool: ToolFacts }): VNode | null =>
  risk === undefined ? null : (
    <Pill tone={tones[risk]}>
      {riskWords(risk, riskByInput)}
      <span class="sr"> risk</span>
    </Pill>
  )
