// Tools that send a request: its method is free text, and what it carries is a write of most servers.
import { takesText, type Place } from './schema-places.ts'
import { acting, given, isSet, mayDoAnything, mayDoMore, worstOf, type Picked, type Selector } from './selector.ts'
import { wordsOf } from './words.ts'

/** A request whose method is free text. */
export function httpMethod(place: Place): Selector | undefined {
  const { name, path, schema, siblings } = place
  const word = wordsOf(name).join('')
  if (!['method', 'httpmethod', 'requestmethod', 'verb', 'httpverb'].includes(word) || !takesText(schema))
    return undefined
  const addressed = ['url', 'uri', 'endpoint', 'path', 'href'].some((each) => Object.hasOwn(siblings, each))
  // As `fetch` has it: `{ url, options: { method } }`.
  const inOptions = ['options', 'init', 'request', 'config'].includes(path.at(-2) ?? '')
  if (!addressed && !inOptions) return undefined
  const judge = (value: unknown): Picked =>
    typeof value === 'string' && /^(?:get|head|options)$/i.test(value)
      ? 'reads'
      : (acting(place, value) ?? mayDoMore(place))
  return {
    place,
    worst: mayDoAnything(place),
    mayRead: true,
    pick: (args) => worstOf(given(place, args), judge, mayDoMore(place)),
  }
}

/** Names of what a request carries, beside those that end in "body" or "payload". */
const bodies = new Set(
  'data form json postdata postbody requestdata formdata formfields multipart urlencoded'.split(' '),
)

/** What a request carries besides its address is a write of most servers, whatever its method is called. */
export function requestBody(place: Place): Selector | undefined {
  const { name, siblings } = place
  const words = wordsOf(name)
  if (!bodies.has(words.join('')) && !['body', 'payload'].includes(words.at(-1) ?? '')) return undefined
  // `include_body: true`, `max_body: 1000`: about what comes back.
  const types = [place.schema['type']].flat()
  if (types.length > 0 && types.every((type) => ['boolean', 'number', 'integer'].includes(String(type))))
    return undefined
  if (!['url', 'uri', 'endpoint', 'href'].some((each) => Object.hasOwn(siblings, each))) return undefined
  return {
    place,
    worst: mayDoMore(place),
    mayRead: false,
    pick: (args) =>
      worstOf(given(place, args), (value) => (isSet(value, false) ? mayDoMore(place) : 'nothing'), 'nothing'),
  }
}
