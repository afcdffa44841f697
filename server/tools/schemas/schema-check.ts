// Checks values with JSON Schemas: Ajv says which values do not fit, and `strays.ts` which members nobody has named.
import type { Ajv2020, Options } from 'ajv/dist/2020.js'
import { toPointer } from '../../errors/pointer.ts'
import loadAjv from './ajv.cjs'
import type { Schema } from './json-schema.ts'
import { schemaChecks, type SchemaChecks } from './part-checks.ts'
import { issuesOf, mostIssues, strayIssue, strayPointer, type SchemaIssue } from './schema-issues.ts'
import { strayFinder, type Strays } from './strays.ts'
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
  const ajv = loadAjv()
  reader ??= new ajv.Ajv2020({ strict: false, logger: false })
  if (reader.validateSchema(root) !== true)
    throw new UnusableSchema(
      `it is no JSON Schema of 2020-12: ${reader.errorsText(reader.errors?.slice(0, 1), { dataVar: '' })}`,
      'Correct it there.',
    )
  return schemaChecks(root, (isWhole) => {
    const checker = new ajv.Ajv2020({
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
    ajv.addFormats(checker)
    // What a text has to look like only the library knows: the flags of a regular expression are not in its JSON Schema.
    return options === ofLibrary ? checker.removeKeyword('pattern').addKeyword('pattern') : checker
  })
}

/** What is wrong with an answer, of which members may be there that its schema does not name. */
export function answerCheck(schema: Schema): Check {
  const { errorsOf, forget } = checksOf(schema, {})
  return (value) => {
    try {
      return issuesOf(errorsOf(value), value)
    } finally {
      forget()
    }
  }
}

/** What is wrong with arguments. `isOfLibrary`: its own check runs after this one, and knows more of texts. */
export function argumentCheck(root: Schema, isOfLibrary: boolean): Check {
  const { errorsOf, fits, errorsIn, forget } = checksOf(root, isOfLibrary ? ofLibrary : { useDefaults: true })
  const patterns = new Map<string, { test(text: string): boolean }>()
  const patternOf = (source: string): { test(text: string): boolean } => {
    const known = patterns.get(source) ?? (isOfLibrary ? generousPattern(source) : new RegExp(source, 'u'))
    patterns.set(source, known)
    return known
  }
  const matches = (pattern: string, name: string): boolean => patternOf(pattern).test(name)
  const straysIn = strayFinder(root, { fits, errorsIn, matches })
  const issuesIn = (value: unknown): readonly SchemaIssue[] => {
    const errors = errorsOf(value)
    const all = issuesOf(errors, value)
    // An agent is told of no more at once.
    if (all.length >= mostIssues) return all
    const found = straysIn(value)
    const instead = found.flatMap((each) => each.instead ?? [])
    const meant = new Set(found.flatMap((each) => (each.instead === undefined ? [] : pointersOf(each))))
    const wrong =
      meant.size === 0
        ? all
        : issuesOf([...errors.filter((error) => !meant.has(strayPointer(error) ?? '')), ...instead], value)
    const known = new Set(
      wrong.map((issue) => toPointer(issue.code === 'custom' ? issue.path : [...issue.path, ...issue.keys])),
    )
    const strays = found
      .flatMap(({ path, names }) => names.map((name) => [...path, name]))
      .filter((path) => !meant.has(toPointer(path)) && !known.has(toPointer(path)))
    return [...wrong, ...strays.slice(0, mostIssues).map(strayIssue)]
  }
  return (value) => {
    try {
      return issuesIn(value)
    } finally {
      forget()
    }
  }
}

const pointersOf = ({ path, names }: Strays): readonly string[] => names.map((name) => toPointer([...path, name]))
