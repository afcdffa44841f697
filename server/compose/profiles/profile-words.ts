// What operators are told of the profile of a server: which one is in force and by what it was found, and of which tools it
// does not speak.
import { showInvisible } from '../../cards/invisible-characters.ts'
import type { UpstreamTool } from '../../gateway/contract/upstream-contracts.ts'
import { leftOutTools } from '../gateway/left-out.ts'
import { profileFit } from '../../gateway/profiles/tool-profile.ts'
import type { Upstream } from '../../gateway/upstream/upstream.ts'

/** One sentence each; the first says which profile it is. `tools`: all that there are, forbidden ones too. */
export function profileWords(tools: readonly UpstreamTool[], upstream: Upstream): readonly string[] {
  const known = tools.find((tool) => tool.upstream === upstream)?.known
  // Where agents have none of its tools, nothing is rated, and no tool says what is known of their server.
  if (known === undefined && leftOutTools(upstream).size > 0 && !tools.some((tool) => tool.upstream === upstream))
    return []
  if (known === undefined) return ['no profile: the general rules rate its tools']
  const { name } = known.profile
  const { changed, unknown } = profileFit(known, upstream.tools().tools)
  return [
    `profile ${name}, found by ${showInvisible(known.by)}`,
    ...(known.lowers
      ? []
      : [
          `the name that a server gives itself lowers no rating; "profile": "${name}" in its entry makes it count in full`,
        ]),
    ...(changed.length === 0
      ? []
      : [`defined otherwise than in the profile, rated by the general rules: ${listed(changed)}`]),
    ...(unknown.length === 0 ? [] : [`not in the profile, rated by the general rules: ${listed(unknown)}`]),
  ]
}

const listed = (names: readonly string[]): string => {
  const first = names.slice(0, 20).map(showInvisible).join(', ')
  return names.length > 20 ? `${first} and ${names.length - 20} more` : first
}
