// A tool that is named after a program of the command line (`git_diff`) mostly hands its arguments to that program, and there
// whatever begins with a dash is an option: `git diff --output=FILE` writes, `kubectl get --server=…` sends its credentials
// elsewhere. No schema says so, and "read-only" is said of the arguments that were meant.
import type { Evidence } from './evidence.ts'
import { takesText, valuesAt, type Place } from './schema-places.ts'
import type { Selector } from './selector.ts'
import { isReading } from './verbs.ts'
import { wordsOf } from './words.ts'

const programs = new Set('git hg svn jj kubectl helm docker podman terraform tofu ffmpeg ffprobe rg ripgrep'.split(' '))

/** The program that a name begins with, also behind whose it is: `git_log`, `mcp_git_log`; not `get_git_repository`. */
function programOf(tool: string): string | undefined {
  const [first = '', second = ''] = wordsOf(tool)
  if (programs.has(first)) return first
  return programs.has(second) && !isReading(first) ? second : undefined
}

/** Names of what is handed to a program as it stands, whatever its tool is called after: `args`, `extraArgs`. */
const handedOn = /^(?:args|argv|arguments|flags)$/

/** A list of such a name is handed on as well; one text is mostly JSON. */
const listHandedOn = /^(?:options|opts)$/

const isList = ({ schema }: Place): boolean => [schema['type']].flat().includes('array')

const isOption = (value: unknown): boolean => typeof value === 'string' && /^\s*-/.test(value)

/** One text for all arguments is cut into words, or a shell does that; JSON is neither. */
const holdsMore = (value: unknown): boolean =>
  typeof value === 'string' && !/^\s*[[{]/.test(value) && /\s-\S|[;&|`\n]|\$\(/.test(value)

/** Every text that is handed to a program; one that begins with a dash makes a write of the call. */
export function optionSelectors(tool: string, places: readonly Place[]): readonly Selector[] {
  const program = programOf(tool)
  return places.flatMap((place) => {
    const lastWord = wordsOf(place.name).at(-1) ?? ''
    const isHandedOn = handedOn.test(lastWord) || (isList(place) && listHandedOn.test(lastWord))
    if (!takesText(place.schema) || (program === undefined && !isHandedOn)) return []
    const worst: Evidence = {
      risk: 'high',
      operation: 'destructive',
      reason: `What is in its argument "${place.name}" may be an option of ${program ?? 'a program'}, which may write, so it is high.`,
    }
    const pick: Selector['pick'] = (args) => {
      const values = valuesAt(args, place.path)
      return values.flat(Infinity).some(isOption) || (isHandedOn && values.some(holdsMore)) ? worst : 'nothing'
    }
    return [{ place, worst, mayRead: false, pick }]
  })
}
