// What several parts of a profile are made of: names, words, and the arguments of a call that we make.
import { z } from 'zod'

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()])

/** Names of tools or packages. */
export const names = z.array(z.string().min(1).max(200)).min(1)
/** Words. */
export const text = z.string().min(1).max(400)

/** Arguments of a call that we make: "{path}" alone keeps the argument's own type; other words are a template. */
const valueSchema = z.union([scalar, z.array(scalar)])

/** Arguments of a call, as templates of those of another one. */
export const withSchema = z
  .record(
    z.string().min(1),
    z.union([
      valueSchema,
      z.record(z.string().min(1), z.union([valueSchema, z.record(z.string().min(1), valueSchema)])),
    ]),
  )
  .default({})
  .describe('Its arguments; "{path}" is the value of that argument of the call.')
