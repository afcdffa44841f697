// Why a server cannot be used, told twice: agents get our own words, and only operators get what the server said itself,
// because servers that fail print what they were started with, passwords among it, and what they say may be meant for a
// model.
import { McpError } from '@modelcontextprotocol/sdk/types.js'
import { BadAnswer, codes, httpStatus, isUnreached, plain } from './call-failure.ts'
import { needOf, needText, type LoginNeed } from '../login/login-need.ts'
import { isStdio, type ServerConfig } from '../settings/upstream-config.schema.ts'
import { missingVariables } from './missing-variables.ts'
import { PackageMissing } from '../../../errors/optional-package.ts'
import { DiscoverRefused, modernVersion, OtherVersions } from './wire/generation.ts'
import type { Reach } from './wire/transport.ts'

/** Why one way does not work: in our words, which everybody may read, and in the server's, which are for operators. */
export interface NoUse {
  readonly why: string
  readonly said: string
  /** What a person has to do first. */
  readonly need?: LoginNeed
  /** What a person has to put right in the settings, as an instruction. */
  readonly remedy?: string
  /** The server was reached, and refused what it was asked: it may want to be spoken to in another way. */
  readonly refused?: true
  /** Its process ended because it was asked which versions it speaks. */
  readonly endedWhenAsked?: true
  /** The server speaks MCP 2026-07-28 or later: no way of older versions leads to it. */
  readonly isSure?: true
}

/** No way to the server works. */
export class CannotUse extends Error {
  /** The last words of the server itself; for operators only, because passwords stand in them. */
  readonly said: string
  /** What a person has to do first. */
  readonly need: LoginNeed | undefined
  /** What a person has to put right in the settings, as an instruction. */
  readonly remedy: string | undefined
  constructor(problems: readonly NoUse[]) {
    super(problems.map(({ why }) => why).join('; '))
    this.said = problems
      .map(({ said }) => said)
      .filter((words) => words !== '')
      .join('; ')
    this.need = problems.find(({ need }) => need !== undefined)?.need
    this.remedy = problems.find(({ remedy }) => remedy !== undefined)?.remedy
  }
}

/** What was asked of a server, and by which way. */
export interface Asked {
  readonly server: ServerConfig
  readonly reach: Reach
  readonly method: 'initialize' | 'tools/list'
  readonly timeoutMs: number
  /** What it wrote that is not MCP. */
  readonly garbage: string
}

/** What went wrong while one way to a server was tried. */
export function whyNot(error: unknown, { server, reach, method, timeoutMs, garbage }: Asked): NoUse {
  const need = needOf(error) ?? reach.need?.()
  if (need !== undefined) return { why: needText(need), said: '', need }
  if (error instanceof PackageMissing)
    return {
      why: `it may speak MCP ${modernVersion} alone. ${error.problem}`,
      said: '',
      remedy: error.next,
      isSure: true,
    }
  if (error instanceof OtherVersions) return { why: error.message, said: '', isSure: true }
  const words = reach.lastWords()
  const heard = [
    ...(words === '' ? [] : [`it said: ${words}`]),
    ...(garbage === '' ? [] : [`it wrote something that is not MCP: ${garbage}`]),
  ]
  const said = heard.join('; ')
  const { code } = error as { code?: unknown }
  if (code === 'ENOENT') return { why: `its command or its folder was not found (${plain(error)})`, said: '' }
  if (isOfSdk(error, codes.closed, 'Connection closed')) {
    const how = ended(method === 'initialize' ? 'it ended at once' : 'it ended before it listed its tools', reach)
    const missing = isStdio(server) ? missingVariables(words, server) : undefined
    return missing === undefined
      ? { why: how, said }
      : { why: `${how}, and ${missing.why}`, said, remedy: missing.remedy }
  }
  if (isOfSdk(error, codes.timedOut, 'Request timed out'))
    return {
      why: `it did not answer ${method} within ${Math.round(timeoutMs / 1000)} seconds${garbage === '' ? '' : ', and wrote what is not MCP'}`,
      said,
    }
  const inItsWords = [`it answered: ${plain(error).replace(/^MCP error -?\d+: /, '')}`, ...heard].join('; ')
  if (error instanceof DiscoverRefused)
    return { why: `it answered server/discover with an error (code ${error.code})`, said: inItsWords, isSure: true }
  if (error instanceof McpError)
    return { why: `it answered ${method} with an error (code ${error.code})`, said: inItsWords, refused: true }
  if (error instanceof Error && (error.name.endsWith('ZodError') || error instanceof BadAnswer))
    return { why: `what it answered to ${method} is not what MCP asks for`, said: inItsWords }
  const status = httpStatus(error)
  if (status !== undefined && !isStdio(server))
    return { why: `${reach.kind}: it answered HTTP ${status}`, said: inItsWords, ...refusedBy(status, server.headers) }
  return reach.kind === 'stdio' || isUnreached(error)
    ? { why: `${reach.kind === 'stdio' ? '' : `${reach.kind}: `}${reason(error)}`, said }
    : { why: `${reach.kind}: its answer could not be used`, said: inItsWords }
}

/** An error that the SDK made itself; a server may answer with the same codes. */
const isOfSdk = (error: unknown, code: number, message: string): boolean =>
  error instanceof McpError && error.code === code && error.message === `MCP error ${code}: ${message}`

/** Answers of HTTP that say nothing of how the server was spoken to: a proxy's login, a timeout, too many requests. */
const notAboutUs: ReadonlySet<number> = new Set([407, 408, 429])

/** What helps where a remote server does not know who asks. */
function refusedBy(status: number, headers: Readonly<Record<string, string>>): Pick<NoUse, 'remedy' | 'refused'> {
  if (status !== 401 && status !== 403)
    return status >= 400 && !notAboutUs.has(status) && status < 500 ? { refused: true } : {}
  const names = Object.keys(headers)
  return {
    remedy:
      names.length === 0
        ? 'the server wants to know who asks, and its entry in the settings has no `headers`: a person adds those that its documentation names, such as `"authorization": "Bearer ${NAME}"`'
        : `the server does not accept what its entry in the settings sends (\`headers\`: ${names.join(', ')}): a person puts the value there right, or the variable or kept secret that it names`,
  }
}

/** That a server is gone, with how its process ended. */
export const ended = (what: string, reach: Reach): string => {
  const how = reach.end()
  return how === '' ? what : `${what} (${how})`
}

/** "fetch failed" hides the reason in its cause. */
const reason = (error: unknown): string =>
  error instanceof Error && error.cause instanceof Error ? `${plain(error)} (${plain(error.cause)})` : plain(error)
