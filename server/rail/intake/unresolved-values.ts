// A program without a compiler may answer with work that nobody has done yet: `async function*` where `async function`
// was meant, a list of promises that were never waited for, a function to call later. None of that is a result.
import { toPointer } from '../../errors/pointer.ts'

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const has = (value: object, name: PropertyKey): boolean => typeof Reflect.get(value, name) === 'function'

/** What a value is, where it is work and not a result. */
function workOf(value: unknown): string | undefined {
  if (typeof value === 'function') return 'a function'
  if (!isObject(value)) return undefined
  if (has(value, Symbol.asyncIterator)) return 'an async iterator'
  if (has(value, Symbol.iterator) && has(value, 'next')) return 'an iterator'
  return has(value, 'then') ? 'a promise' : undefined
}

/** Only plain data is looked into: what an instance of somebody's class holds is their own affair. */
const isPlain = (value: object): boolean =>
  Array.isArray(value) || [Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null)

interface Place {
  readonly value: unknown
  readonly key: string
  readonly inside: Place | undefined
}

const pathOf = ({ key, inside }: Place): readonly string[] => (inside === undefined ? [] : [...pathOf(inside), key])

/**
 * Names the first work in an answer that has not come to an end, and where: "a promise at /0". A function counts only as
 * the whole answer; inside of one it is a method that no result keeps.
 */
export function unresolvedValueIn(answer: unknown): string | undefined {
  const seen = new Set<object>()
  const waiting: Place[] = [{ value: answer, key: '', inside: undefined }]
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const { value, inside } = place
    const work = workOf(value)
    if (work !== undefined) return inside === undefined ? work : `${work} at ${toPointer(pathOf(place))}`
    if (!isObject(value) || !isPlain(value) || seen.has(value)) continue
    seen.add(value)
    for (const [key, inner] of Object.entries(value).toReversed())
      if (isObject(inner)) waiting.push({ value: inner, key, inside: place })
  }
  return undefined
}
