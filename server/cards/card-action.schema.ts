// The buttons of a card, and the states that they and the server put it in.
import { z } from 'zod'
import { cardStates } from '../model/card.ts'

/** An address that a host may open: no `javascript:` and the like. */
export const webUrl = z.string().regex(/^https?:\/\//i, 'must be an http or https address')

export const stateSchema = z.enum(cardStates)

/** A message that a button sends in the person's name. The rail checks its whole grammar. */
const message = z
  .string()
  .regex(
    /^(Apply|Preview): call [\w./:-]+\(.*\)$|^Cancel: do not apply .+ \(pl_[0-9a-z]+\)\.$/,
    'must be an Apply, a Preview or a Cancel message on one line',
  )

const stepSchema = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('SetState'), state: stateSchema }),
  z.strictObject({ do: z.literal('SendMessage'), text: message }),
  z.strictObject({ do: z.literal('OpenLink'), url: webUrl }),
  z.strictObject({ do: z.literal('CopyText'), text: z.string() }),
  z.strictObject({ do: z.literal('ShowToast'), text: z.string() }),
])

export const cardActionSchema = z
  .strictObject({
    role: z.enum(['confirm', 'cancel', 'other']),
    label: z.string().min(1),
    tone: z.enum(['go', 'stop', 'plain']),
    steps: z.array(stepSchema).min(1),
  })
  .superRefine(({ role, steps }, ctx) => {
    for (const [at, step] of steps.entries())
      if (role !== 'confirm' && step.do === 'SendMessage' && step.text.startsWith('Apply: '))
        ctx.addIssue({ code: 'custom', path: ['steps', at, 'text'], message: 'applies a plan, and only Confirm may' })
  })
