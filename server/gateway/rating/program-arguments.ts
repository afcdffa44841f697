// The arguments of a tool that are programs and can be read. Their parsers are large, and few of the tools that take a
// program are called: they are loaded by the first call that brings one.
import { loadProgramParser, type ProgramLanguage } from '../programs/read-program.ts'
import { programsIn } from './code-arguments.ts'
import type { RatedTool } from './evidence.ts'
import { placesIn, type Place } from './schema-places.ts'
import { isRouted } from './router-arguments.ts'
import type { Selector } from './selector.ts'
import { mayBeLine, raisingSelector, shellSelector, shellsOf } from './shell-arguments.ts'
import { dialectOf, namesQuerying, sqlSelector } from './sql-arguments.ts'
import { readingVerb } from './tool-name.ts'

/** What these arguments make of a call, as far as their language can be read. */
export function programSelectors(
  programs: readonly Place[],
  tool: { readonly name: string; readonly description: string },
  marked: boolean,
): readonly Selector[] {
  // What a tool does with a text besides running it, its name says: `materialize(sql)` runs no query that only reads.
  const runsOnly = marked || readingVerb(tool.name) !== undefined || namesQuerying(tool.name)
  return programs.flatMap(
    (place) => (runsOnly ? sqlSelector(place, tool) : undefined) ?? shellSelector(place, tool) ?? [],
  )
}

/** What may be a line of a shell among those that are not read: it lowers nothing, and what it would do there is said. */
export const raisingSelectors = (
  unreadable: readonly Place[],
  tool: { readonly name: string; readonly description: string },
): readonly Selector[] => unreadable.filter((place) => mayBeLine(place, tool)).map(raisingSelector)

/** An argument that can be read as a program. */
interface ProgramArgument extends ProgramLanguage {
  /** "*" stands for every item of a list. */
  readonly path: readonly string[]
  /** Whether it surely is in that language; else a line of which nobody knows what runs it. */
  readonly isSure: boolean
}

const programsOf = ({ name, description = '', inputSchema = {} }: RatedTool): readonly Place[] =>
  programsIn(
    placesIn(inputSchema).places.filter((place) => !isRouted(place)),
    { name, description },
  )

/** The arguments of a tool that hold SQL, or hold or may hold a line of a shell, by its own words and theirs. */
export function programArguments(tool: RatedTool): readonly ProgramArgument[] {
  const { name, description = '' } = tool
  return programsOf(tool).flatMap((place): readonly ProgramArgument[] => {
    const { path } = place
    const dialect = dialectOf(place, { name, description })
    if (dialect !== undefined)
      return [{ path, language: 'sql', dialect: dialect === 'unknown' ? undefined : dialect, isSure: true }]
    const isSure = shellsOf(place, { name, description }) !== undefined
    return isSure || mayBeLine(place, { name, description }) ? [{ path, language: 'shell', isSure }] : []
  })
}

const named = { sql: 'SQL', shell: 'lines of a shell' } as const

/** What the programs of a tool are read as: a line that may be SQL as well is looked at as both. */
export function languagesOf(tool: RatedTool): readonly ProgramLanguage[] {
  const { name, description = '' } = tool
  const isLine = (place: Place): boolean =>
    shellsOf(place, { name, description }) !== undefined || mayBeLine(place, { name, description })
  return programsOf(tool).some(isLine) ? [...programArguments(tool), { language: 'shell' }] : programArguments(tool)
}

/**
 * Loads what these programs are read with. Until then, and where it cannot be loaded, calls with them are critical; answers
 * what went wrong.
 */
export async function loadParsers(programs: readonly ProgramLanguage[]): Promise<readonly string[]> {
  const problems = await Promise.all(
    programs.map(async (program) => {
      try {
        await loadProgramParser(program)
        return []
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error)
        return [`Calls with ${named[program.language]} are critical, because their parser did not load: ${why}`]
      }
    }),
  )
  return [...new Set(problems.flat())]
}
