// What an agent may say of a mail. Addresses are only bounded here; what is wrong with one is `invalid_recipient`.
import { z } from 'zod'
import type { SourceFile } from '../../file-source.ts'
import type { PlacedSecret } from '../policy.ts'
import { isReadable, unreadable } from './body.ts'

/** Written right to left, or turned: what a reader sees would not be what is there. */
const turned = /[\u202A-\u202E\u2066-\u2069]/
export const plain = (text: string): boolean => !/\p{Cc}/u.test(text) && !turned.test(text)
export const plainOrBreak = (text: string): boolean => !/[^\P{Cc}\n\t]/u.test(text) && !turned.test(text)
const hidden = 'must not have control characters'

export const draftId = z.string().min(1).max(60).describe('Id of a draft, like "dr_…"')

const addresses = z.array(z.string().min(1).max(400)).max(1000)

export const sendInput = z.strictObject({
  to: addresses.min(1).describe('Each one address: "ann@acme.example" or "Ann Lee <ann@acme.example>"'),
  subject: z.string().min(1).max(250).refine(plain, hidden),
  body: z
    .string()
    .min(1)
    .max(30_000)
    // Programs on Windows end lines with two characters.
    .overwrite((text) => text.replace(/\r\n/g, '\n'))
    .refine(plainOrBreak, hidden)
    .refine(isReadable, unreadable)
    .describe('Markdown; goes out as text and as HTML. HTML in it is shown as it is written'),
  attachments: z.array(z.string().min(1).max(100)).max(20).optional().describe('Ids of files'),
  projectId: z.string().min(1).max(100).refine(plain, hidden).optional().describe('Kept with the mail'),
  cc: addresses.optional(),
  bcc: addresses.optional().describe('The other recipients do not see these'),
  replyTo: z.string().min(1).max(400).optional(),
  sendAt: z.iso
    .datetime({ offset: true })
    // Moments are compared as text, which has four digits for the year.
    .refine((at) => Date.parse(at) < Date.UTC(9999, 0), 'must lie before the year 9999')
    .optional()
    .describe('When it goes out, like "2026-11-28T09:00:00+01:00"; at once when left out or past'),
  draftId: draftId.optional().describe('The draft that this mail was; it is deleted when the mail is written'),
})

/** An attachment as it was found, for whoever may read it. */
export interface Attached {
  readonly id: string
  readonly file: SourceFile | undefined
  readonly secrets?: readonly PlacedSecret[]
}

/** The input of a call, with what its attachments are: they lie elsewhere, and are looked up before. */
export type SendInput = z.infer<typeof sendInput> & {
  readonly files?: readonly Attached[]
}
