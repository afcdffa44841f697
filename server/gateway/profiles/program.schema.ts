// The argument of a tool that is a program, as a profile names it; and the one that names where a program looks.
import { z } from 'zod'

export const place = z.string().min(1).max(200).describe('An argument: its name, or a JSON Pointer (RFC 6901).')
export const repository = place
  .optional()
  .describe(
    'Of a read with git: the argument that names the folder. It asks where git would run what is configured there.',
  )
export const sqlDialects = ['postgresql', 'sqlite', 'mysql', 'tsql'] as const

export const programSchema = z
  .strictObject({
    argument: place,
    language: z.enum(['sql', 'shell']),
    dialect: z.enum([...sqlDialects, 'posix']).optional(),
    shell: place.optional().describe('The argument that names the shell that runs it.'),
  })
  .refine(
    ({ language, dialect, shell }) =>
      language === 'sql' ? dialect !== 'posix' && shell === undefined : (dialect ?? 'posix') === 'posix',
    'must have a dialect of its language, and `shell` only with `language: shell`',
  )
