// What the profile of a server says of its errors.
import { z } from 'zod'
import { templates, type UpstreamErrorType } from '../../errors/explain/classes.ts'
import { pattern } from '../upstream/settings/upstream-config.schema.ts'
import { names, text, withSchema } from './parts.schema.ts'

/** One error that its server is known to give. */
export const errorSchema = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,39}$/, 'must be a name of a-z, 0-9 and _')
    .describe('Its name in `evidence` and in the figures of operators.'),
  matches: pattern
    .max(200)
    .describe(
      'Words of the server by which it is known: a regular expression (RE2), tried on the first 1,000 characters.',
    ),
  tools: names.optional().describe('Only of these tools; of all when absent.'),
  class: z
    .enum(Object.keys(templates) as [UpstreamErrorType, ...UpstreamErrorType[]])
    .describe('What kind of error it is: the `error_type` of the guidance.'),
  says: text.optional().describe('What to do, as one sentence; the words of its class when absent.'),
  fix: z
    .strictObject({
      call: z.string().min(1).describe('A tool of the same server that only reads.'),
      with: withSchema,
      why: text
        .min(10)
        .describe('What it is good for, as one sentence of 10 characters or more: it is the reason of the call.'),
    })
    .optional()
    .describe('A read that helps. It is left out where it could not be made as it stands.'),
})

export type ProfiledError = z.output<typeof errorSchema>
