// What is known of one server, as data that a person has reviewed (docs/guides/profiles.md). Strict everywhere: a key that
// nobody reads would be a promise that nobody keeps.
import { z } from 'zod'
import { operations, risks } from '../../model/risk.ts'
import { conditionSchema, pattern, toolSchema } from '../upstream/settings/upstream-config.schema.ts'
import { errorSchema } from './error.schema.ts'
import { names, text, withSchema } from './parts.schema.ts'
import { place, programSchema, repository, sqlDialects } from './program.schema.ts'

const risk = z.enum(risks)
const operation = z.enum(operations)

const template = text.describe('Words with arguments in them: "Open an issue in {owner}/{repo}[ for {assignee}]".')
const pointer = z
  .string()
  .regex(/^(?:\/.*)?$/, 'must be a JSON Pointer: "" or "/…"')
  .describe('JSON Pointer (RFC 6901) into the answer; "" is all of it.')

/** How a value is shown. */
const shownAs = {
  label: text.optional().describe('What it is called on the card; the words of its name when absent.'),
  as: z
    .enum(['text', 'markdown', 'code', 'diff', 'money', 'people', 'date', 'secret'])
    .default('text')
    .describe(
      '`money`: needs `currency`; `people`: one address or a list of them; `secret`: only about how long it is, in no card, message or record.',
    ),
  language: z.string().max(40).optional().describe('Of code: sql, shell, javascript, json …'),
  currency: z.string().max(200).optional().describe('ISO 4217 ("EUR"), or the argument that says it ("{currency}").'),
  minor_units: z.boolean().optional().describe('The amount counts cents, not euros.'),
} as const

const showSchema = z
  .strictObject({
    argument: place,
    ...shownAs,
    from: place.optional().describe('Of a diff: the argument with the text that this one replaces.'),
  })
  .refine((shown) => shown.from === undefined || shown.as === 'diff', 'must be a diff where it has a `from`')
  .refine((shown) => shown.as !== 'money' || shown.currency !== undefined, 'must name the currency of money')

/** What of a text is the answer itself. */
const cutFrom = {
  skip_lines: z.int().min(1).max(20).optional().describe('Lines that the server puts above it.'),
  lines_with: template.optional().describe('Only lines that have these words.'),
  more: pointer.optional().describe('Where the answer says that it is only the beginning.'),
} as const

const shownValue = z.union([
  pointer,
  z
    .strictObject({
      of: pointer.describe('Where the amount stands.'),
      currency: pointer.describe('Where its currency stands, as an ISO 4217 code.'),
      minor_units: shownAs.minor_units,
    })
    .describe('Money.'),
])

/** What the answer of a read says on the card. */
const answerSchema = z.discriminatedUnion('as', [
  z.strictObject({
    as: z.literal('text'),
    of: pointer.default(''),
    language: z.string().max(40).optional(),
    ...cutFrom,
  }),
  z.strictObject({
    as: z.literal('diff').describe('The answer, and what the argument `with` would make of it.'),
    of: pointer.default(''),
    with: place,
    cuts_last_newline: z.literal(true).optional().describe('The server leaves out the newline at the end of a text.'),
    ...cutFrom,
  }),
  z.strictObject({
    as: z.literal('patch').describe('A patch as git writes it, file by file.'),
    of: pointer.default(''),
    ...cutFrom,
  }),
  z.strictObject({
    as: z.literal('changes').describe('Before and after, for each argument that is given.'),
    fields: z.record(z.string().min(1), pointer).describe('Argument → where the answer holds what it is now.'),
  }),
  z.strictObject({
    as: z.literal('fields'),
    fields: z
      .record(z.string().min(1), shownValue)
      .describe('Label → where the answer holds it; what it does not hold is left out.'),
  }),
  z.strictObject({
    as: z.literal('table'),
    rows: pointer.default(''),
    columns: z.record(z.string().min(1), shownValue).optional().describe('Heading → where a row holds it.'),
    where: z
      .record(z.string().min(1), template)
      .optional()
      .describe('Only the rows that hold these values: JSON Pointer into a row → "{id}".'),
  }),
])

const callStep = z.strictObject({
  call: z.string().min(1).describe('A tool of the same server that only reads.'),
  with: withSchema,
  if: z.record(z.string().min(1), conditionSchema).optional().describe('Only for calls of which this is true.'),
  label: text.describe('What the answer is, above it on the card.'),
  show: answerSchema,
  none: z
    .strictObject({
      matches: pattern
        .max(200)
        .describe('Words of the server with which it says that there is nothing yet: a regular expression (RE2).'),
      says: template,
      unmarked: z.literal(true).optional().describe('The server does not say of that answer that it is an error.'),
    })
    .optional()
    .describe('What it means where the read fails because there is nothing there.'),
  basis: z
    .boolean()
    .default(true)
    .describe('false: an answer that moves by itself does not make a confirmed call stale.'),
  optional: z
    .boolean()
    .optional()
    .describe('true: only some forms of the server have this tool; without it nothing is read, and nothing said.'),
})

const rowsStep = z.strictObject({
  rows_of: place.describe('The argument that holds SQL: the rows that it would hit are counted and shown.'),
  dialect: z.enum(sqlDialects),
  call: z.string().min(1).describe('A tool of the same server that runs a SELECT.'),
  argument: place.describe('The argument of that tool that takes it.'),
  with: withSchema,
  rows: pointer.default('').describe('Where its answer holds the rows, as a list of objects.'),
})

const ruleSchema = z
  .strictObject({
    if: z.record(z.string().min(1), conditionSchema).describe('Argument → what must be true of it. All of them.'),
    risk,
    operation,
    program: programSchema
      .optional()
      .describe('Of such calls, the argument that is a program, as `program` of a tool.'),
    title: template.optional(),
    confirm: template.optional(),
    effects: z.array(template).optional(),
  })
  .refine(
    (rule) => rule.operation !== 'read' || rule.program === undefined,
    'must say the worst that its program can do',
  )

const fullTool = z
  .strictObject({
    operation,
    risk: risk.optional().describe('`low` for a read when absent.'),
    when: z
      .array(ruleSchema)
      .min(1)
      .optional()
      .describe('By argument: the first rule that holds is the one that counts.'),
    program: programSchema
      .optional()
      .describe('A program, whose text decides what the call is; `operation` and `risk` are its worst.'),
    repository,
    title: template.optional().describe('What the call does, in words.'),
    confirm: template.optional().describe('The button.'),
    done: template.optional().describe('What the card says when it is done.'),
    target: template.optional().describe('What it acts on, also where no argument says so.'),
    effects: z.array(template).optional().describe('What follows, each one fact in the present tense.'),
    show: z
      .array(showSchema)
      .min(1)
      .optional()
      .describe('Arguments in the order in which they are shown; others follow.'),
    before: z
      .array(z.union([callStep, rowsStep]))
      .min(1)
      .max(4)
      .optional(),
    after: z
      .strictObject({
        call: z.string().min(1),
        with: withSchema,
        of: pointer.default(''),
        equals: text.optional(),
        contains: text.optional(),
      })
      .refine(
        (after) => (after.equals === undefined) !== (after.contains === undefined),
        'must have equals or contains',
      )
      .optional()
      .describe('A read that tells, where the answer was lost, whether the call took effect.'),
    revise: z
      .union([z.literal(true), z.array(place).min(1)])
      .optional()
      .describe(
        'Arguments that the person may change on the card; `/lines/*` also lets members of a list be left out.',
      ),
    undo: z
      .strictObject({ call: z.string().min(1), with: withSchema, label: template })
      .optional()
      .describe('The call that takes it back; it is offered as a new preview.'),
    properties: z
      .array(
        z.strictObject({
          in: place.describe(
            'Where names of properties stand: the keys of an object, a text, or a list of either. `*` in a JSON Pointer is each member.',
          ),
          of: template.describe('The object of the cheatsheet that has them: "{objectType}", or its name.'),
        }),
      )
      .min(1)
      .optional()
      .describe('Names that the cheatsheet does not know are said on the card.'),
    repeats: z
      .enum(['harmless', 'again'])
      .optional()
      .describe('Whether the same call a second time does it a second time.'),
    dry_run: toolSchema.shape.dry_run,
    error_effect: toolSchema.shape.error_effect,
    permissions: toolSchema.shape.permissions,
  })
  .refine((tool) => tool.operation === 'read' || tool.risk !== undefined, 'must say the risk of what is no read')
  .refine((tool) => tool.operation !== 'read' || (tool.risk ?? 'low') === 'low', 'must be low where it only reads')
  .refine(
    (tool) => tool.operation !== 'read' || tool.program === undefined,
    'must say the worst that its program can do',
  )

/** Most tools of most servers only read, of which there is no more to say. */
const profiledTool = z.union([
  z
    .literal('read')
    .describe('It only reads.')
    .transform((word): z.output<typeof fullTool> => ({ operation: word })),
  fullTool,
])

export const profileSchema = z.strictObject({
  $schema: z.string().optional(),
  profile: z.literal(1).describe('Version of this format.'),
  name: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'must be a name of a-z, 0-9 and -, at most 40 characters')
    .describe('What the server is called where its operator gives it no name.'),
  title: text.describe('Its own name, as people know it.'),
  match: z
    .strictObject({
      npm: names.optional().describe('Packages of npm.'),
      pypi: names.optional().describe('Packages of PyPI, as uvx and pipx take them.'),
      image: names.optional().describe('Container images, without their tag.'),
      command: names.optional().describe('Commands, without their folder.'),
      host: names.optional().describe('Hosts of remote servers.'),
      server: names.optional().describe('What it calls itself at `initialize`. That never lowers a rating.'),
    })
    .refine((match) => Object.keys(match).length > 0, 'must say how the server is recognised'),
  cheatsheet: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'must be the name of a shipped cheatsheet: a-z, 0-9 and -')
    .optional()
    .describe('The shipped cheatsheet that is served for it; the `cheatsheet` of the settings counts before it.'),
  source: z.array(z.url()).default([]).describe('What it was written from.'),
  tools: z.record(z.string().min(1), profiledTool),
  errors: z
    .array(errorSchema)
    .min(1)
    .max(30)
    .optional()
    .describe('What its errors mean, the first that matches; others are read by general rules.'),
  tested: z
    .array(
      z.strictObject({
        version: z
          .string()
          .min(1)
          .max(200)
          .describe('Of the release; of a server that was not started, the file that was read.'),
        definitions: z
          .record(z.string(), z.string().regex(/^[0-9a-f]{16}$/))
          .describe('Tool → digest of its definition (`countersign profile test FILE --record` writes it).'),
      }),
    )
    .min(1)
    .describe('What it was written for. A tool that is defined otherwise is rated by the general rules.'),
})

export type Profile = z.output<typeof profileSchema>
export type ProfiledTool = Profile['tools'][string]
export type ShownArgument = z.output<typeof showSchema>
export type BeforeCall = z.output<typeof callStep>
export type BeforeRows = z.output<typeof rowsStep>
export type ShownValue = z.output<typeof shownValue>
export type ShownAnswer = z.output<typeof answerSchema>
export type ProfileRule = z.output<typeof ruleSchema>
