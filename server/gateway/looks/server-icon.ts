// The icon of a server, where its card may show one (ADR 50). Icons come from the server, so a picture proves nothing: one is
// shown only of a server that the operator's own settings lead to, and only one that needs no network and cannot draw what it
// likes. SVG can take a browser's time without end, and an address would tell its owner who looks at which call.
import { z } from 'zod'
import { cardLimits } from '../../cards/limits.ts'
import { pictureFacts } from '../../cards/picture-facts.ts'

/** Pixels of either side: a small file can unpack to any size. */
const widest = 512

const iconsSchema = z.array(z.looseObject({ src: z.string(), theme: z.string().optional() })).max(50)

/** The first icon that can be shown, as a `data:` address of a PNG or a JPEG; one for dark grounds only if there is no other. */
export function shownIcon(icons: unknown): string | undefined {
  const read = iconsSchema.safeParse(icons)
  if (!read.success) return undefined
  const inOrder = read.data.toSorted((a, b) => Number(a.theme === 'dark') - Number(b.theme === 'dark'))
  return inOrder.map(({ src }) => src).find(isShown)
}

function isShown(src: string): boolean {
  if (src.length > cardLimits.icon) return false
  const facts = pictureFacts(src)
  return (
    facts !== undefined &&
    (facts.type === 'png' || facts.type === 'jpeg') &&
    [facts.width, facts.height].every((side) => side >= 1 && side <= widest)
  )
}
