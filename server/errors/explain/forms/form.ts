// A structured form of errors: how it is recognised, where it is documented, and how it is read.
import { z } from 'zod'
import type { Stated, StatedField } from '../stated.ts'

export interface Form {
  /** Rule of the guidance's evidence. */
  readonly id: string
  /** Where its publisher documents it. */
  readonly source: string
  /** What the value states; nothing where it has another form. */
  read(value: Readonly<Record<string, unknown>>): Omit<Stated, 'form'> | undefined
}

/** A form whose schema decides whether a value has it; made when the first error is read. */
export function form<S extends z.ZodObject>(
  id: string,
  source: string,
  make: () => S,
  read: (value: z.output<S>) => Omit<Stated, 'form'> | undefined,
): Form {
  let made: { readonly schema: S; readonly needed: readonly string[] } | undefined
  return {
    id,
    source,
    read: (value) => {
      const { schema, needed } = (made ??= withNeeded(make()))
      if (!needed.every((key) => Object.hasOwn(value, key))) return undefined
      const parsed = schema.safeParse(value)
      return parsed.success ? read(parsed.data) : undefined
    },
  }
}

/** Most values have another form, and telling so by their keys costs a hundredth of a parse that fails. */
const withNeeded = <S extends z.ZodObject>(schema: S) => ({
  schema,
  needed: Object.keys(schema.shape).filter((key) => !z.safeParse(schema.shape[key], undefined).success),
})

/** Longer texts are cut: an error's words are quoted, and never read whole. */
export const text = z.string().transform((value) => value.slice(0, 500).toWellFormed())
/** What is not as documented is as if it were not there. */
export const maybe = <S extends z.ZodType>(schema: S) => schema.optional().catch(undefined)
/** A status of HTTP, which some write as a text. */
export const status = z.union([
  z.int(),
  z
    .string()
    .regex(/^[1-5]\d\d$/)
    .transform(Number),
])
/** At most so many members are looked at. */
export const list = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value) => (Array.isArray(value) ? value.slice(0, 20) : value), z.array(schema.nullable().catch(null)))

/** Keys of a place as it is written in words: `a.b[0].c`, `/a/b/0/c`, `#/a`. */
export const pathOf = (place: string): readonly string[] =>
  place
    .slice(0, 300)
    .replace(/^#?\//, '')
    .split(/[/.[\]]{1,3}/)
    .filter((key) => key !== '')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))

/** One field, where its place is known. */
export const field = (place: string | undefined, said: string | undefined): readonly StatedField[] =>
  place === undefined || place === '' ? [] : [{ path: pathOf(place), said: said ?? 'is not accepted' }]
