// Checks values with JSON Schemas: Ajv says which values do not fit, and `strays.ts` which members nobody has named.
import { Ajv2020, type Options } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { toPointer } from '../../errors/pointer.ts'
import type { Schema } from './json-schema.ts'
import { schemaChecks, type SchemaChecks } from './part-checks.ts'
import { issuesOf, strayIssue, type SchemaIssue } from './schema-issues.ts'
import { straysIn } from './strays.ts'
import { UnusableSchema } from './unusable-schema.ts'

type Check = (value: unknown) => readonly SchemaIssue[]

/** All flags that a regular expression may have had, which JSON Schema has no place for. */
const flagsThatWere = ['', 'u', 'v', 'ims', 'imsu', 'imsv']

const compiles = (source: string, flags: string): readonly RegExp[] => {
  try {
    return [new RegExp(source, flags)]
  } catch {
    return []
  }
}

/** What a pattern of a library may have meant. */
function generousPattern(source: string): { test(text: string): boolean; toString(): string } {
  const meant = flagsThatWere.flatMap((flags) => compiles(source, flags))
  return {
    test: (text) => meant.length === 0 || meant.some((each) => each.test(text)),
    // Ajv knows a pattern by this.
    toString: () => source,
  }
}
generousPattern.code = 'new RegExp'

const ofLibrary: Options = { validateFormats: false, code: { regExp: generousPattern } }

/** Reads schemas with the schema of schemas, which takes most of the time that an Ajv needs to be made. */
let reader: Ajv2020 | undefined

/** All checks of a schema. An Ajv keeps everything that it has compiled, so each schema has its own, which go with it. */
function checksOf(root: Schema, options: Options): SchemaChecks {
  reader ??= new Ajv2020({ strict: false, logger: false })
  if (reader.validateSchema(root) !== true)
    throw new UnusableSchema(
      `it is no JSON Schema of 2020-12: ${reader.errorsText(reader.errors?.slice(0, 1), { dataVar: '' })}`,
      'Correct it there.',
    )
  return schemaChecks(root, (isWhole) => {
    const ajv = new Ajv2020({
      meta: false,
      validateSchema: false,
      allErrors: true,
      strict: false,
      ownProperties: true,
      // It would say on the console that it knows no format of that name.
      logger: false,
      ...options,
      useDefaults: isWhole && options.useDefaults === true,
    })
    addFormats.default(ajv)
    // What a text has to look like only the library knows: the flags of a regular expression are not in its JSON Schema.
    return options === ofLibrary ? ajv.removeKeyword('pattern').addKeyword('pattern') : ajv
  })
}

/** What is wrong with an answer, of which members may be there that its schema does not name. */
export function answerCheck(schema: Schema): Check {
  const { errorsOf } = checksOf(schema, {})
  return (value) => issuesOf(errorsOf(value), value)
}

/** What is wrong with arguments. `isOfLibrary`: its own check runs after this one, and knows more of texts. */
export function argumentCheck(root: Schema, isOfLibrary: boolean): Check {
  const { errorsOf, fits } = checksOf(root, isOfLibrary ? ofLibrary : { useDefaults: true })
  const patterns = new Map<string, { test(text: string): boolean }>()
  const patternOf = (source: string): { test(text: string): boolean } => {
    const known = patterns.get(source) ?? (isOfLibrary ? generousPattern(source) : new RegExp(source, 'u'))
    patterns.set(source, known)
    return known
  }
  const questions = { fits, matches: (pattern: string, name: string) => patternOf(pattern).test(name) }
  return (value) => {
    const wrong = issuesOf(errorsOf(value), value)
    const known = new Set(
      wrong.map((issue) => toPointer(issue.code === 'custom' ? issue.path : [...issue.path, ...issue.keys])),
    )
    const strays = straysIn(root, value, questions).filter((path) => !known.has(toPointer(path)))
    return [...wrong, ...strays.slice(0, mostStrays).map(strayIssue)]
  }
}

/** Of so many an agent is told at once. */
const mostStrays = 20
