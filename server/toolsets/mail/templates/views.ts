// Templates as the outside sees them, and as cards show them.
import { z } from 'zod'
import type { CardBlock } from '../../../model/card.ts'
import type { MailWords } from '../words.ts'
import type { StoredTemplate } from './queries.ts'
import type { Sample } from './samples.ts'

export const templateOut = z.strictObject({
  templateId: z.string(),
  name: z.string(),
  description: z.string().optional(),
  subject: z.string(),
  body: z.string(),
  variables: z.array(z.string()).describe('What each call gives'),
  fallbacks: z.record(z.string(), z.string()),
  updatedAt: z.string(),
  version: z.int(),
})

export const templateView = ({ id, description, ...template }: StoredTemplate): z.infer<typeof templateOut> => ({
  templateId: id,
  ...(description === null ? {} : { description }),
  ...template,
  variables: [...template.variables],
})

export const sampleOut = z.strictObject({
  to: z.string(),
  subject: z.string().optional(),
  text: z.string().optional().describe('As it is read in plain text'),
  problem: z.string().optional().describe('Why this recipient gets no mail'),
})

/** A mail under its label. */
export const sampleBlock = (label: string, sample: Sample, { template }: MailWords): CardBlock =>
  'problem' in sample
    ? { kind: 'alert', severity: 'warning', title: template.noSample(label), text: template.problem(sample.problem) }
    : { kind: 'code', label, text: `${sample.subject}\n\n${sample.text}` }
