// What makers of blocks are given. They are called from plain JavaScript, too, with what a database or a form has left out, and
// the types of TypeScript are no check of that.
import { z } from 'zod'
import { kindOf } from '../errors/kind-of.ts'

/** Must be so, and says what it is instead. */
const must = (what: string) => ({
  error: ({ input }: { readonly input?: unknown }) => `${what}, and is ${kindOf(input)}`,
})

/** What `pictureBlock` makes a picture of. */
export const picturePartsSchema = z.object(
  {
    label: z.string(must('must be a text that says what it is a picture of')),
    alt: z.string(must('must be a text that says what it shows')),
    data: z.string(must('must be a text, the `data:` address of a PNG, a JPEG, a WebP or a GIF')),
  },
  must('must be an object'),
)

/** What `markdownBlocks` reads. */
export const markdownSchema = z.string(must('must be a text'))
