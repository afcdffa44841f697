// A picture for a card, checked where a tool makes it: whoever wrote the tool hears there what is wrong with it, and not when
// a whole card is refused.
import type { InnerBlock } from '../model/card.ts'
import { picturePartsSchema } from './block-parts.schema.ts'
import { CardError } from './builders.ts'
import { cardBlockSchema } from './card.schema.ts'
import { pictureFacts } from './picture-facts.ts'

/** What a picture on a card is made of. */
export interface PictureParts {
  /** What stands above it: what it is a picture of. */
  readonly label: string
  /** What it shows, in words: for who does not see it, and where a card is text. */
  readonly alt: string
  /** `data:` address of a PNG, a JPEG, a WebP or a GIF that does not move, of at most 64,000 characters. */
  readonly data: string
}

/**
 * A picture for a card, as large as its bytes say.
 * @throws {CardError} where it is none that a card shows: another type than it says, an address of the web, too large, or
 * without words for what it shows.
 */
export function pictureBlock(parts: PictureParts): Extract<InnerBlock, { kind: 'picture' }> {
  const given = picturePartsSchema.safeParse(parts)
  if (!given.success) {
    const problems = given.error.issues.map(({ path, message }) => `${path.join('.') || 'it'} ${message}`)
    throw new CardError(
      `This picture cannot be shown: ${problems.join('; ')}. Call pictureBlock({ label, alt, data }).`,
    )
  }
  const { label, alt, data } = given.data
  const { width, height } = pictureFacts(data) ?? { width: 1, height: 1 }
  const block = { kind: 'picture', label, alt, data, width, height } as const
  const parsed = cardBlockSchema.safeParse(block)
  if (parsed.success) return block
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  throw new CardError(`This picture cannot be shown: ${problems.join('; ')}.`)
}
