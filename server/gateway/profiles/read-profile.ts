// The text of a profile comes from a file of ours or of an operator's. Whatever is wrong with it is named by its line, and a
// profile with a mistake is not used in part.
import { z } from 'zod'
import { parseYamlText } from '../../config/yaml-text.ts'
import type { ConfigText } from '../../config/text.ts'
import { explain } from '../../config/problems.ts'
import { nearest } from '../../errors/nearest.ts'
import { fail, ok, type Result } from '../../errors/result.ts'
import type { ConfigFailure } from '../upstream/settings/upstream-config.ts'
import { ownErrorProblems } from './check-errors.ts'
import { profileSchema, type Profile, type ProfiledTool } from './profile.schema.ts'
import { BadTemplate, parseTemplate, templatesIn } from './template.ts'
import { programsOf } from './tool-profile.ts'

/** Reads one profile. `file` is how messages name it. */
export function readProfile(source: string, file: string): Result<Profile, readonly ConfigFailure[]> {
  const text = parseYamlText(source, file)
  if (!text.ok) {
    const { line, column, message, next } = text.failure
    return fail([{ message: `${file}:${line}:${column}: ${message}.`, next }])
  }
  const parsed = profileSchema.safeParse(text.value.value)
  if (!parsed.success) return fail(schemaProblems(text.value, parsed.error))
  const ofErrors = ownErrorProblems(parsed.data).map(({ path, message, next }) => ({
    message: `${placed(text.value, path)}: ${path.join('.')} ${message}.`,
    next,
  }))
  const ofTools = Object.entries(parsed.data.tools).flatMap(([name, tool]) =>
    ownProblems(parsed.data, name, tool).map(({ path, message, next }) => ({
      message: `${placed(text.value, ['tools', name, ...path])}: tools.${[name, ...path].join('.')} ${message}.`,
      next,
    })),
  )
  const problems = [...ofTools, ...ofErrors]
  return problems.length > 0 ? fail(problems) : ok(parsed.data)
}

const schemaProblems = (text: ConfigText, error: z.ZodError): readonly ConfigFailure[] =>
  explain(profileSchema, new z.ZodError(error.issues.flatMap(innermost)), text.value, () => false)
    .map(({ path, message, next }) => ({
      place: text.placeOf(path),
      message: `${placed(text, path)}: ${message}.`,
      next,
    }))
    .toSorted((a, b) => a.place.line - b.place.line || a.place.column - b.place.column)
    .map(({ message, next }) => ({ message, next }))

/** Where a value may have one of several forms, what is wrong in the form that it has: at its own place, all of it. */
function innermost(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue]
  const isOther = ({ code, path }: z.core.$ZodIssue): boolean =>
    path.length === 0 && (code === 'invalid_type' || code === 'invalid_value')
  const [form] = issue.errors
    .filter((issues) => issues.length > 0 && !issues.some(isOther))
    .toSorted((a, b) => a.length - b.length)
  if (form === undefined) return [issue]
  return form.flatMap((inner) => innermost({ ...inner, path: [...issue.path, ...inner.path] }))
}

const placed = (text: ConfigText, path: readonly PropertyKey[]): string => {
  const { line, column } = text.placeOf(path)
  return `${text.file}:${line}:${column}`
}

interface Problem {
  readonly path: readonly (string | number)[]
  readonly message: string
  readonly next: string
}

/** What no schema can say: templates that cannot be read, and reads that are none in the profile's own words. */
function ownProblems(profile: Profile, name: string, tool: ProfiledTool): readonly Problem[] {
  return [
    ...templatesOf(tool).flatMap(({ path, template }) => {
      try {
        parseTemplate(template)
        return []
      } catch (error) {
        if (!(error instanceof BadTemplate)) throw error
        return [{ path, message: `is no template: ${error.message}`, next: 'Correct it at that place.' }]
      }
    }),
    ...readsOf(tool).flatMap(({ path, call }): readonly Problem[] => {
      const read = profile.tools[call]
      if (read === undefined) {
        const [near] = nearest(call, Object.keys(profile.tools))
        return [
          {
            path,
            message: `calls "${call}", which this profile does not have`,
            next: near === undefined ? 'Name a tool of the same server.' : `Did you mean "${near}"?`,
          },
        ]
      }
      const mayRead = read.operation === 'read' || read.when?.some((rule) => rule.operation === 'read') === true
      return mayRead || programsOf(read).length > 0
        ? []
        : [{ path, message: `calls "${call}", which writes`, next: 'Only reads are made before a person agreed.' }]
    }),
    ...(tool.undo !== undefined && profile.tools[tool.undo.call] === undefined
      ? [
          {
            path: ['undo', 'call'],
            message: `calls "${tool.undo.call}", which this profile does not have`,
            next: 'Name a tool of the same server.',
          },
        ]
      : []),
    ...(tool.properties !== undefined && profile.cheatsheet === undefined
      ? [
          {
            path: ['properties'],
            message: 'are looked up in a cheatsheet, and the profile names none',
            next: 'Add `cheatsheet` to the profile.',
          },
        ]
      : []),
    ...(tool.before ?? []).flatMap((step, at): readonly Problem[] =>
      'rows_of' in step && !programsOf(tool).some(({ language }) => language === 'sql')
        ? [
            {
              path: ['before', at],
              message: `counts the rows of ${step.rows_of}, and the profile of ${name} does not say that it is SQL`,
              next: 'Add `program: { argument, language: sql, dialect }`.',
            },
          ]
        : [],
    ),
  ]
}

interface Placed<T> {
  readonly path: readonly (string | number)[]
  readonly template: T
}

/** Every template of a tool, with its place below the tool. */
function templatesOf(tool: ProfiledTool): readonly Placed<string>[] {
  const one = (path: readonly (string | number)[], template: unknown): readonly Placed<string>[] =>
    typeof template === 'string' ? [{ path, template }] : []
  const calls = (path: readonly (string | number)[], given: Readonly<Record<string, unknown>>) =>
    templatesIn(given).map((each) => ({ path: [...path, 'with', ...each.path], template: each.template }))
  const words = (path: readonly (string | number)[], from: { effects?: readonly string[] | undefined } & object) => [
    ...(['title', 'confirm', 'done', 'target'] as const).flatMap((key) =>
      one([...path, key], (from as Readonly<Record<string, unknown>>)[key]),
    ),
    ...(from.effects ?? []).flatMap((each, at) => one([...path, 'effects', at], each)),
  ]
  return [
    ...words([], tool),
    ...(tool.when ?? []).flatMap((rule, at) => words(['when', at], rule)),
    ...(tool.before ?? []).flatMap((step, at) => [
      ...calls(['before', at], step.with),
      ...('none' in step ? one(['before', at, 'none', 'says'], step.none?.says) : []),
      ...('show' in step && 'lines_with' in step.show
        ? one(['before', at, 'show', 'lines_with'], step.show.lines_with)
        : []),
    ]),
    ...(tool.properties ?? []).flatMap(({ of }, at) => one(['properties', at, 'of'], of)),
    ...(tool.after === undefined
      ? []
      : [
          ...calls(['after'], tool.after.with),
          ...one(['after', 'equals'], tool.after.equals),
          ...one(['after', 'contains'], tool.after.contains),
        ]),
    ...(tool.undo === undefined
      ? []
      : [...calls(['undo'], tool.undo.with), ...one(['undo', 'label'], tool.undo.label)]),
  ]
}

/** Every read that a tool's profile makes, with its place below the tool. */
export const readsOf = (
  tool: ProfiledTool,
): readonly { readonly path: readonly (string | number)[]; readonly call: string }[] => [
  ...(tool.before ?? []).map(({ call }, at) => ({ path: ['before', at, 'call'], call })),
  ...(tool.after === undefined ? [] : [{ path: ['after', 'call'], call: tool.after.call }]),
]
