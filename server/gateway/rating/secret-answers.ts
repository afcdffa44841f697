// A tool that reads files answers with what they hold. Where a call names a place in which secrets are kept, a person is
// asked before that goes to the agent, whatever the tool is rated otherwise.
import type { Assessed } from './rating.ts'
import type { RatedTool } from './evidence.ts'
import { placesIn, takesText, valuesAt, type Place } from './schema-places.ts'
import { isSecretPlace } from './secret-places.ts'
import { wordsOf } from './words.ts'

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))

/** Words of arguments that name what is read. */
const placing = words(
  `path paths file files filepath filepaths filename filenames uri uris dir dirs directory directories folder folders glob
  globs cwd`,
)

/** Whole names that do, and are something else beside other words: `regionUrl`. */
const placingAlone = words('url urls root')

/** The same in tools that are called after files. */
const placingFiles = words('name names location locations source sources src target targets input inputs item items')

/** What stands there is left out, or looked for. */
const leavingOut = words('exclude excludes excluded ignore ignores ignored skip omit query regex regexp')

/** What is told of a file, and no path of it: `fileId`. */
const toldOf = words('id ids key keys type types size limit count extension extensions')

/** How an argument says that it names a file, whatever it is called. */
const saysPath =
  /\bpaths? (?:of|to) (?:\w+ ){0,3}(?:file|folder|director)|\b(?:file|folder|directory) ?(?:name|path)s?\b|\bglobs?\b/i

/** Names of a state of a repository, behind which a file may stand: `HEAD:.env`, in the index `:.env` and `:0:.env`. */
const revisions = words('object revision rev ref target commit')

/** Tools that say what is there, and not what it holds. */
const telling = words('list lists tree stat stats info metadata exists size sizes allowed roots')

/** Words with which such a tool says both. */
const holding = words('read content contents text cat open dump show print')

interface Looked extends Place {
  /** A path stands there; else only behind the colon of a revision. */
  readonly isPath: boolean
}

const answerers = new WeakMap<RatedTool, readonly Looked[]>()

/** The arguments that may name a file whose content is answered. */
function filesOf(tool: RatedTool): readonly Looked[] {
  const known = answerers.get(tool)
  if (known !== undefined) return known
  const { places } = placesIn(tool.inputSchema ?? {})
  const name = wordsOf(tool.name)
  const holds = [name, ...places.map((place) => wordsOf(place.name))].some((each) =>
    each.some((word) => holding.has(word)),
  )
  const isOfFiles = name.some((word) => /^(?:files?|director(?:y|ies)|folders?|paths?)$/.test(word))
  const isOfRepository = name.some((word) => /^(?:git|show|diff|blame|files?)$/.test(word))
  const found =
    name.some((word) => telling.has(word)) && !holds
      ? []
      : places.flatMap((place): readonly Looked[] => {
          const said = wordsOf(place.name)
          if (!takesText(place.schema) || said.some((word) => leavingOut.has(word))) return []
          const last = said.at(-1) ?? ''
          const { description } = place.schema
          if (toldOf.has(last)) return []
          const isPath =
            said.some((word) => placing.has(word)) ||
            (said.length === 1 && placingAlone.has(last)) ||
            (last === 'patterns' && said.some((word) => word.startsWith('include'))) ||
            (isOfFiles && placingFiles.has(last)) ||
            (typeof description === 'string' && saysPath.test(description))
          return isPath || (isOfRepository && revisions.has(last)) ? [{ ...place, isPath }] : []
        })
  answerers.set(tool, found)
  return found
}

/** The paths that a value may name: itself, each of a list in one text, each that braces stand for. */
function pathsIn(value: string): readonly string[] {
  // What a server that looks at addresses takes: a pattern of a path, where ".*" is anything.
  const text = value.replaceAll('.*', '*')
  return unfolded(text)
    .flatMap((each) => [each, ...each.split(/[,;\n"]/)])
    .filter((each) => !/^\s*https?:/i.test(each))
}

const mostUnfolded = 100

/** `*.{key,pem}` as `*.key` and `*.pem`. */
function unfolded(text: string): readonly string[] {
  let all: readonly string[] = [text]
  for (let depth = 0; depth < 3; depth++)
    all = all
      .flatMap((each) => {
        const [found, inner = ''] = /\{([^{}]*)\}/.exec(each) ?? []
        return found === undefined ? [each] : inner.split(',').map((choice) => each.replace(found, () => choice))
      })
      .slice(0, mostUnfolded)
  return all
}

const assessed = (reason: string): Assessed => ({
  risk: 'high',
  operation: 'write',
  reasons: [reason],
  onlyAnswers: true,
})

/** What becomes of a read that names a place of secrets; nothing where it names none. */
export function secretRead(tool: RatedTool, args: unknown): Assessed | undefined {
  for (const { name, path, isPath } of filesOf(tool))
    for (const value of valuesAt(args, path).flat()) {
      if (typeof value !== 'string') continue
      const place = (isPath ? pathsIn(value) : [/^[^:]*:(?:\d:)?(?!\/\/)(.+)$/.exec(value)?.[1] ?? '']).find(
        isSecretPlace,
      )
      if (place !== undefined)
        return assessed(
          `Its argument "${name}" names ${place.slice(0, 200)}, where secrets are kept. It changes nothing, but what it reads goes to the agent, so it is high.`,
        )
    }
  return undefined
}

/** What a read may become by what it names. */
export const mayAnswerSecrets = (tool: RatedTool): readonly Assessed[] =>
  filesOf(tool).length === 0 ? [] : [assessed('What it reads may be kept where secrets are, so it may be high.')]
