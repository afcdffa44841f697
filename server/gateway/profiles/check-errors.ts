// What is wrong with the `errors` of a profile: by itself, and against the tools that its server lists.
import { nearest } from '../../errors/nearest.ts'
import type { Schema } from '../../tools/schemas/json-schema.ts'
import { pathOf } from '../rules/condition.ts'
import type { Profile, ProfiledTool } from './profile.schema.ts'
import { programsOf } from './tool-profile.ts'
import { BadTemplate, parseTemplate, placesOf, templatesIn } from './template.ts'

/** Whether some call of the tool only reads; which one does is looked at when it is proposed. */
const mayRead = (tool: ProfiledTool): boolean =>
  tool.operation === 'read' ||
  tool.when?.some((rule) => rule.operation === 'read') === true ||
  programsOf(tool).length > 0

interface ErrorProblem {
  /** Keys below the profile. */
  readonly path: readonly (string | number)[]
  readonly message: string
  readonly next: string
}

const namesNoTool = (path: ErrorProblem['path'], name: string, known: readonly string[]): ErrorProblem => {
  const [near] = nearest(name, known)
  return {
    path,
    message: `names "${name}", which this profile does not have`,
    next: near === undefined ? 'Name a tool of the same server.' : `Did you mean "${near}"?`,
  }
}

/** What no schema can say: names that are used twice, tools that are not there, reads that are none. */
export function ownErrorProblems({ errors = [], tools }: Profile): readonly ErrorProblem[] {
  const known = Object.keys(tools)
  return errors.flatMap(({ id, tools: only = [], fix }, at): readonly ErrorProblem[] => {
    const path = ['errors', at]
    const target = fix === undefined ? undefined : tools[fix.call]
    return [
      ...(errors.findIndex((each) => each.id === id) < at
        ? [{ path: [...path, 'id'], message: `"${id}" is used twice`, next: 'Give each its own name.' }]
        : []),
      ...only.filter((name) => !known.includes(name)).map((name) => namesNoTool([...path, 'tools'], name, known)),
      ...(fix === undefined
        ? []
        : target === undefined
          ? [namesNoTool([...path, 'fix', 'call'], fix.call, known)]
          : mayRead(target)
            ? []
            : [
                {
                  path: [...path, 'fix', 'call'],
                  message: `calls "${fix.call}", which writes`,
                  next: 'Only reads are proposed.',
                },
              ]),
      ...templatesIn(fix?.with ?? {}).flatMap((each): readonly ErrorProblem[] => {
        try {
          parseTemplate(each.template)
          return []
        } catch (error) {
          if (!(error instanceof BadTemplate)) throw error
          return [
            {
              path: [...path, 'fix', 'with', ...each.path],
              message: `is no template: ${error.message}`,
              next: 'Correct it at that place.',
            },
          ]
        }
      }),
    ]
  })
}

/** The names of a tool's arguments; `undefined` where its schema does not say them at its root. */
type ArgumentsOf = (schema: Schema) => readonly string[] | undefined

/** What does not fit the tools that the server lists: a read that it does not have, arguments that there are not. */
export function errorsAgainst(
  { errors = [], tools }: Profile,
  listed: ReadonlyMap<string, { readonly inputSchema: Schema }>,
  argumentsOf: ArgumentsOf,
): readonly ErrorProblem[] {
  return errors.flatMap(({ fix, tools: only }, at): readonly ErrorProblem[] => {
    if (fix === undefined) return []
    const path = ['errors', at, 'fix']
    const target = listed.get(fix.call)
    if (target === undefined)
      return [
        { path: [...path, 'call'], message: `The server lists no tool ${fix.call}.`, next: 'Name one that it lists.' },
      ]
    const taken = argumentsOf(target.inputSchema)
    const required = (target.inputSchema['required'] as readonly string[] | undefined) ?? []
    const from = only ?? Object.keys(tools)
    const places = templatesIn(fix.with).flatMap((each) => placesOf(each.template))
    return [
      ...Object.keys(fix.with)
        .filter((name) => taken !== undefined && !taken.includes(name))
        .map((name) => ({
          path: [...path, 'with', name],
          message: `${fix.call} takes no argument "${name}".`,
          next: `It takes ${(taken ?? []).join(', ') || 'none'}.`,
        })),
      ...required
        .filter((name) => !Object.hasOwn(fix.with, name))
        .map((name) => ({ path, message: `${fix.call} needs "${name}".`, next: 'Give it under `with`.' })),
      // An argument that none of these tools has would leave the call out for ever.
      ...places
        .filter(
          (place) =>
            !from.some((name) => hasArgument(listed.get(name)?.inputSchema, pathOf(place)[0] ?? '', argumentsOf)),
        )
        .map((place) => ({
          path: [...path, 'with'],
          message: `No tool of which this error is takes an argument "${pathOf(place)[0] ?? ''}".`,
          next: 'Take an argument of the call that failed.',
        })),
    ]
  })
}

const hasArgument = (schema: Schema | undefined, name: string, argumentsOf: ArgumentsOf): boolean =>
  schema !== undefined && argumentsOf(schema)?.includes(name) !== false
