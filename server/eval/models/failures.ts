// What keeps a model from being asked, in one sentence. Both makers' SDKs are made by one generator, so their errors look alike;
// they are recognised by what they carry. What a server wrote of a refused key may quote the key, so it is not repeated.
import { unlessMissing, withPackages } from '../../errors/optional-package.ts'
import { showInvisible } from '../../cards/invisible-characters.ts'
import { ModelFailure, type ModelOptions, type Provider } from './model.ts'

/** The variable in which the SDK of a maker looks for the key. */
export const keyVariables: Readonly<Record<Provider, string>> = {
  openai: 'OPENAI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
}

/** The variable in which it looks for another address. */
export const addressVariables: Readonly<Record<Provider, string>> = {
  openai: 'OPENAI_BASE_URL',
  anthropic: 'ANTHROPIC_BASE_URL',
}

/** An address without what may be secret in it: user, password, query. */
export function shownAddress(url: string): string {
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname === '/' ? '' : pathname}`
}

/** At which address a model is asked, for a sentence. */
const placeOf = ({ baseUrl }: ModelOptions, provider: Provider): string =>
  baseUrl === undefined ? `the API of ${provider}` : shownAddress(baseUrl)

/** Loads the SDK of a maker. @throws {ModelFailure} where it is not installed. */
export async function loadSdk<T>(name: '@anthropic-ai/sdk' | 'openai', load: () => Promise<T>): Promise<T> {
  const loaded = await unlessMissing(() => withPackages([name], load))
  if (loaded.ok) return loaded.value
  const { message, next } = loaded.failure
  throw new ModelFailure(message, `${next} Or start both by \`npx -p countersign -p ${name} countersign eval …\`.`)
}

/** Shorter ones are made up, for servers that want none, and may be part of any word. */
const shortestKey = 8

/** What the server says of the error, without the key. */
function wordsOf(error: Error, key: string): string {
  const known = key.length < shortestKey ? error.message : error.message.replaceAll(key, '…')
  const words = showInvisible(known.replace(/\s+/g, ' '))
  return words.length > 300 ? `${words.slice(0, 299)}…` : words
}

/** Why a request was not answered. */
export function failureOf(error: unknown, provider: Provider, options: ModelOptions): ModelFailure {
  if (error instanceof ModelFailure) return error
  const place = placeOf(options, provider)
  const cause = { name: error instanceof Error ? error.name : 'unknown' }
  const status = error instanceof Error && 'status' in error ? error.status : undefined
  if (status === 401 || status === 403)
    return new ModelFailure(
      `${place} refuses the key (HTTP ${status}).`,
      `Set ${keyVariables[provider]} to a key that may use ${options.name}.`,
      cause,
    )
  if (status === 404)
    return new ModelFailure(
      `${place} has no model ${options.name} (HTTP 404).`,
      'Check --model, and that --base-url ends where the maker’s address does (such as /v1).',
      cause,
    )
  if (status === 429)
    return new ModelFailure(
      `${place} answers that there are too many requests (HTTP 429), again and again.`,
      'Try later, or with --concurrency 1.',
      cause,
    )
  if (typeof status === 'number' && error instanceof Error)
    return new ModelFailure(
      `${place} refused a request (HTTP ${status}): ${wordsOf(error, options.key)}`,
      status >= 500 ? 'Try later.' : 'Change what it names, or leave that case out with --only.',
      cause,
    )
  if (error instanceof SyntaxError) return noTurn(place, provider)
  if (
    error instanceof Error &&
    /Connection|fetch failed|timed? ?out/i.test(`${error.name} ${error.constructor.name} ${error.message}`)
  )
    return new ModelFailure(`${place} cannot be reached.`, 'Check --base-url and the network.', cause)
  return new ModelFailure(
    `${place} could not be asked: ${error instanceof Error ? wordsOf(error, options.key) : 'an unknown error'}.`,
    'Check --base-url, --provider and --model.',
    cause,
  )
}

/** What answered is not the API of this maker. */
export const noTurn = (place: string, provider: Provider): ModelFailure =>
  new ModelFailure(
    `${place} answered something that is no answer of the ${provider === 'openai' ? 'OpenAI' : 'Anthropic'} API.`,
    'Check --base-url and --provider.',
  )

/** The same, with the address of these options. */
export const noTurnFrom = (options: ModelOptions, provider: Provider): ModelFailure =>
  noTurn(placeOf(options, provider), provider)
