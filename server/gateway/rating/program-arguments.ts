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

/** The arguments of a tool that hold SQL, or hold or may hold a line of a shell, by its own words and theirs. */
export function programArguments({ name, description = '', inputSchema = {} }: RatedTool): readonly ProgramArgument[] {
  const places = placesIn(inputSchema).places.filter((place) => !isRouted(place))
  return programsIn(places, { name, description }).flatMap((place): readonly ProgramArgument[] => {
    const { path } = place
    const dialect = dialectOf(place, { name, description })
    if (dialect !== undefined)
      return [{ path, language: 'sql', dialect: dialect === 'unknown' ? undefined : dialect, isSure: true }]
    const isSure = shellsOf(place, { name, description }) !== undefined
    return isSure || mayBeLine(place, { name, description }) ? [{ path, language: 'shell', isSure }] : []
  })
}

const named = { sql: 'SQL', shell: 'lines of a shell' } as const

/**
 * Loads what these programs are read with. Until then, and where it cannot be loaded, calls with them are high; answers what
 * went wrong.
 */
export async function loadParsers(programs: readonly ProgramLanguage[]): Promise<readonly string[]> {
  const problems = await Promise.all(
    programs.map(async (program) => {
      try {
        await loadProgramParser(program)
        return []
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error)
        return [`calls with ${named[program.language]} always ask, because their parser did not load: ${why}`]
      }
    }),
  )
  return [...new Set(problems.flat())]
}
