// What a plan keeps of its preview, beside the call: what the person saw, how the call was written in the chat, and, where the
// person changed it, what the agent had proposed.
import { z } from 'zod'
import { cardChangeSchema } from '../../cards/card.schema.ts'
import type { CardChange } from '../../model/card.ts'
import type { Spelling } from '../engine.ts'

const shownSchema = z.object({
  title: z.string(),
  changes: z.array(cardChangeSchema),
  door: z.object({ tool: z.string(), around: z.array(z.tuple([z.string(), z.unknown()])) }).optional(),
  proposed: z.string().optional(),
  language: z.string().optional(),
})

export interface Shown {
  readonly title: string
  readonly changes: readonly CardChange[]
  /** How its door had the call written, where that was not as its tool. */
  readonly door?: Pick<Spelling, 'tool' | 'around'> | undefined
  /** Canonical JSON of the arguments that the agent had proposed. */
  readonly proposed?: string | undefined
  /** What its card was written in; English when absent. */
  readonly language?: string | undefined
}

/** Reads what a preview wrote into its plan; text of an unknown form reads as nothing shown. */
export function readShown(shown: string): Shown {
  const parsed = shownSchema.safeParse(JSON.parse(shown))
  return parsed.success ? parsed.data : { title: '', changes: [] }
}

/** Bytes of UTF-8 up to which a message repeats the arguments of a call: what is longer, models copy with faults. */
const inlineLimit = 8 * 1024

/** Whether a message is short enough to repeat the arguments. */
export const fitsMessage = (message: string): boolean => Buffer.byteLength(message) <= inlineLimit
