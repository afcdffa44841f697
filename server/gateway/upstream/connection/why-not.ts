// Why a server cannot be used, told twice: agents get our own words, and only operators get what the server said itself,
// because servers that fail print what they were started with, passwords among it.
import { McpError } from '@modelcontextprotocol/sdk/types.js'
import { codes, plain } from './call-failure.ts'
import { needOf, needText, type LoginNeed } from '../login/login-need.ts'
import type { Reach } from './transport.ts'

/** Why one way does not work: in our words, which everybody may read, and in the server's, which are for operators. */
export interface NoUse {
  readonly why: string
  readonly said: string
  /** What a person has to do first. */
  readonly need?: LoginNeed
}

/** No way to the server works. */
export class CannotUse extends Error {
  /** The last words of the server itself; for operators only, because passwords stand in them. */
  readonly said: string
  /** What a person has to do first. */
  readonly need: LoginNeed | undefined
  constructor(problems: readonly NoUse[]) {
    super(problems.map(({ why }) => why).join('; '))
    this.said = problems
      .map(({ said }) => said)
      .filter((words) => words !== '')
      .join('; ')
    this.need = problems.find(({ need }) => need !== undefined)?.need
  }
}

/** What went wrong while one way to a server was tried. `garbage`: what it wrote that is not MCP. */
export function whyNot(error: unknown, reach: Reach, garbage: string, timeoutMs: number): NoUse {
  const need = needOf(error) ?? reach.need?.()
  if (need !== undefined) return { why: needText(need), said: '', need }
  const words = reach.lastWords()
  const said = [
    ...(words === '' ? [] : [`it said: ${words}`]),
    ...(garbage === '' ? [] : [`it wrote something that is not MCP: ${garbage}`]),
  ].join('; ')
  const { code } = error as { code?: unknown }
  if (code === 'ENOENT') return { why: `its command or its folder was not found (${plain(error)})`, said: '' }
  if (error instanceof McpError && error.code === codes.closed) return { why: ended('it ended at once', reach), said }
  if (error instanceof McpError && error.code === codes.timedOut)
    return { why: `it did not answer within ${Math.round(timeoutMs / 1000)} seconds`, said }
  return { why: `${reach.kind === 'stdio' ? '' : `${reach.kind}: `}${reason(error)}`, said }
}

/** That a server is gone, with how its process ended. */
export const ended = (what: string, reach: Reach): string => {
  const how = reach.end()
  return how === '' ? what : `${what} (${how})`
}

/** "fetch failed" hides the reason in its cause. */
const reason = (error: unknown): string =>
  error instanceof Error && error.cause instanceof Error ? `${plain(error)} (${plain(error.cause)})` : plain(error)
