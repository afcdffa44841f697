// Whether a profile fits the tools that its server really lists: every tool is in it, and everything that it says of one
// speaks of arguments and tools that are there.
import { nearest } from '../../errors/nearest.ts'
import { pathOf } from '../rules/condition.ts'
import type { Schema } from '../../tools/schemas/json-schema.ts'
import { placeProblem } from '../../tools/card-edits.ts'
import type { Profile, ProfiledTool } from './profile.schema.ts'
import { errorsAgainst } from './check-errors.ts'
import { revisedPlaces } from './revise.ts'
import { placesOf, templatesIn } from './template.ts'

/** One tool as its server lists it. */
export interface ListedTool {
  readonly name: string
  readonly inputSchema: Schema
}

/** One thing that does not fit: where in the profile, and what to do. */
export interface ProfileProblem {
  /** Keys of the profile. */
  readonly path: readonly (string | number)[]
  readonly message: string
  readonly next: string
}

/** Everything that does not fit; nothing where the profile is whole. */
export function checkAgainst(profile: Profile, listed: readonly ListedTool[]): readonly ProfileProblem[] {
  const tools = new Map(listed.map((tool) => [tool.name, tool]))
  const missing = listed
    .filter(({ name }) => !Object.hasOwn(profile.tools, name))
    .map(({ name }) => ({
      path: ['tools'],
      message: `The profile does not have ${name}, so the general rules rate it.`,
      next: `Add it under tools: "${name}: read" where it only reads.`,
    }))
  const wrong = Object.entries(profile.tools).flatMap(([name, tool]): readonly ProfileProblem[] => {
    const listedTool = tools.get(name)
    return listedTool === undefined
      ? [
          {
            path: ['tools', name],
            message: `The server lists no tool ${name}.`,
            next: nearestText(name, [...tools.keys()]),
          },
        ]
      : toolProblems(name, tool, listedTool, tools)
  })
  return [...missing, ...wrong, ...errorsAgainst(profile, tools, argumentsOf)]
}

const nearestText = (name: string, known: readonly string[]): string => {
  const [near] = nearest(name, known)
  return near === undefined ? `Known are ${known.slice(0, 20).join(', ')}.` : `Did you mean "${near}"?`
}

function toolProblems(
  name: string,
  tool: ProfiledTool,
  { inputSchema }: ListedTool,
  tools: ReadonlyMap<string, ListedTool>,
): readonly ProfileProblem[] {
  const at = (...path: readonly (string | number)[]) => ['tools', name, ...path]
  const argument = (path: readonly (string | number)[], place: string, schema: Schema = inputSchema, of = name) => {
    const known = argumentsOf(schema)
    const [first = ''] = pathOf(place)
    return known === undefined || known.includes(first)
      ? []
      : [{ path: at(...path), message: `${of} takes no argument "${first}".`, next: nearestText(first, known) }]
  }
  const template = (path: readonly (string | number)[], text: unknown) =>
    typeof text === 'string' ? placesOf(text).flatMap((place) => argument(path, place)) : []
  const call = (
    path: readonly (string | number)[],
    called: string,
    given: Readonly<Record<string, unknown>>,
    more: readonly string[] = [],
  ): readonly ProfileProblem[] => {
    const target = tools.get(called)
    if (target === undefined)
      return [
        {
          path: at(...path, 'call'),
          message: `The server lists no tool ${called}.`,
          next: nearestText(called, [...tools.keys()]),
        },
      ]
    const names = [...Object.keys(given), ...more.map((place) => pathOf(place)[0] ?? place)]
    const required = (target.inputSchema['required'] as readonly string[] | undefined) ?? []
    return [
      ...names.flatMap((each) => argument([...path, 'with', each], each, target.inputSchema, called)),
      ...required
        .filter((each) => !names.includes(each))
        .map((each) => ({ path: at(...path), message: `${called} needs "${each}".`, next: 'Give it under `with`.' })),
    ]
  }
  const values = (path: readonly (string | number)[], given: Readonly<Record<string, unknown>>) =>
    templatesIn(given).flatMap((each) => template([...path, 'with', ...each.path], each.template))
  const words = (path: readonly (string | number)[], from: Readonly<Record<string, unknown>>) => [
    ...['title', 'confirm', 'done', 'target'].flatMap((key) => template([...path, key], from[key])),
    ...((from['effects'] as readonly string[] | undefined) ?? []).flatMap((each, n) =>
      template([...path, 'effects', n], each),
    ),
  ]
  const program = (path: readonly (string | number)[], from: ProfiledTool['program']) => [
    ...(from === undefined ? [] : argument([...path, 'program', 'argument'], from.argument)),
    ...(from?.shell === undefined ? [] : argument([...path, 'program', 'shell'], from.shell)),
  ]
  return [
    ...words([], tool),
    ...(tool.when ?? []).flatMap((rule, n) => [
      ...Object.keys(rule.if).flatMap((place) => argument(['when', n, 'if', place], place)),
      ...words(['when', n], rule),
      ...program(['when', n], rule.program),
    ]),
    ...program([], tool.program),
    ...(tool.repository === undefined ? [] : argument(['repository'], tool.repository)),
    ...revisedPlaces(tool).flatMap(({ at: place }, n) => {
      const problem = placeProblem(inputSchema, place)
      const next = 'Name single values, or members of a list: "/labels/*".'
      return problem === undefined ? [] : [{ path: at('revise', n), message: `"${place}" ${problem}.`, next }]
    }),
    ...(tool.show ?? []).flatMap((shown, n) => [
      ...argument(['show', n, 'argument'], shown.argument),
      ...(shown.from === undefined ? [] : argument(['show', n, 'from'], shown.from)),
    ]),
    ...(tool.properties ?? []).flatMap((named, n) => [
      ...argument(['properties', n, 'in'], named.in),
      ...template(['properties', n, 'of'], named.of),
    ]),
    ...(tool.before ?? []).flatMap((step, n) => [
      ...('rows_of' in step
        ? [
            ...argument(['before', n, 'rows_of'], step.rows_of),
            ...call(['before', n], step.call, step.with, [step.argument]),
          ]
        : [
            ...call(['before', n], step.call, step.with),
            ...('lines_with' in step.show ? template(['before', n, 'show', 'lines_with'], step.show.lines_with) : []),
            ...(step.show.as === 'diff' ? argument(['before', n, 'show', 'with'], step.show.with) : []),
            ...(step.show.as === 'table'
              ? Object.values(step.show.where ?? {}).flatMap((each) => template(['before', n, 'show', 'where'], each))
              : []),
            ...(step.show.as === 'changes'
              ? Object.keys(step.show.fields).flatMap((place) =>
                  argument(['before', n, 'show', 'fields', place], place),
                )
              : []),
          ]),
      ...values(['before', n], step.with),
    ]),
    ...(tool.after === undefined
      ? []
      : [
          ...call(['after'], tool.after.call, tool.after.with),
          ...values(['after'], tool.after.with),
          ...template(['after'], tool.after.equals ?? tool.after.contains),
        ]),
    ...(tool.undo === undefined
      ? []
      : [
          ...call(['undo'], tool.undo.call, tool.undo.with),
          // What its answer said stands below /result.
          ...Object.entries(tool.undo.with).flatMap(([key, value]) =>
            typeof value === 'string'
              ? placesOf(value)
                  .filter((place) => !place.startsWith('/result'))
                  .flatMap((place) => argument(['undo', 'with', key], place))
              : [],
          ),
        ]),
  ]
}

/** The names of a tool's arguments; `undefined` where its schema does not say them at its root. */
function argumentsOf(schema: Schema): readonly string[] | undefined {
  const properties = schema['properties']
  const composed = ['allOf', 'anyOf', 'oneOf', '$ref', 'patternProperties'].some((key) => key in schema)
  if (composed) return undefined
  return typeof properties === 'object' && properties !== null ? Object.keys(properties) : []
}
