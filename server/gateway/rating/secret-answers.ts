// A tool that reads files answers with what they hold. Where a call names a place in which secrets are kept, a person is
// asked before that goes to the agent, whatever the tool is rated otherwise.
import type { Assessed } from './rating.ts'
import type { RatedTool } from './evidence.ts'
import { placesIn, takesText, valuesAt, type Place } from './schema-places.ts'
import { isSecretPlace } from './secret-places.ts'
import { wordsOf } from './words.ts'

/** Arguments that name what is read. */
const located = new Set('path paths file files filepath filepaths filename filenames uri uris'.split(' '))

/** Tools that say what is there, and not what it holds. */
const naming = new Set('list lists tree stat stats info metadata exists size sizes allowed roots'.split(' '))

const answerers = new WeakMap<RatedTool, readonly Place[]>()

/** The arguments that may name a file whose content is answered. */
function filesOf(tool: RatedTool): readonly Place[] {
  const known = answerers.get(tool)
  if (known !== undefined) return known
  const found = wordsOf(tool.name).some((word) => naming.has(word))
    ? []
    : placesIn(tool.inputSchema ?? {}).places.filter(
        ({ name, schema }) => located.has(wordsOf(name).at(-1) ?? '') && takesText(schema),
      )
  answerers.set(tool, found)
  return found
}

const assessed = (reason: string): Assessed => ({
  risk: 'high',
  operation: 'write',
  reasons: [reason],
  onlyAnswers: true,
})

/** What becomes of a read that names a place of secrets; nothing where it names none. */
export function secretRead(tool: RatedTool, args: unknown): Assessed | undefined {
  for (const { name, path } of filesOf(tool))
    for (const value of valuesAt(args, path).flat())
      if (typeof value === 'string' && isSecretPlace(value))
        return assessed(
          `Its argument "${name}" names ${value.slice(0, 200)}, where secrets are kept. It changes nothing, but what it reads goes to the agent, so it is high.`,
        )
  return undefined
}

/** What a read may become by what it names. */
export const mayAnswerSecrets = (tool: RatedTool): readonly Assessed[] =>
  filesOf(tool).length === 0 ? [] : [assessed('What it reads may be kept where secrets are, so it may be high.')]
