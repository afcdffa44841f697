// Ajv notes which members and items a schema has spoken of, for `unevaluatedProperties` and `unevaluatedItems`. It makes room for
// these notes where it first needs them, which may be in a branch that is not run: then it loses what it knew before (and refuses
// a sound value), or writes into nothing (and throws). So room is made before each keyword that notes something.
import type { Ajv2020, CodeKeywordDefinition, KeywordCxt } from 'ajv/dist/2020.js'
import loadAjv from './ajv.cjs'

/** Keywords that note what other schemas have noted, or write into notes, or read them. */
const noting = [
  '$ref',
  '$dynamicRef',
  'anyOf',
  'oneOf',
  'allOf',
  'if',
  'dependencies',
  'dependentSchemas',
  'patternProperties',
  'unevaluatedItems',
]

/** Has this Ajv, which has compiled nothing yet, make room for notes in time. */
export function makeRoomForNotes(ajv: Ajv2020): void {
  // It would remove a branch that cannot be run with the variables that are read after it.
  ajv.opts.code.optimize = 0
  for (const keyword of noting) {
    // An Ajv has a copy of its own of each definition.
    const definition = ajv.getKeyword(keyword)
    if (typeof definition !== 'object' || !('code' in definition)) continue
    const { code } = definition as CodeKeywordDefinition
    definition.code = (context, type) => {
      roomIn(context)
      code(context, type)
    }
  }
}

function roomIn({ gen, it }: KeywordCxt): void {
  const { _, Name } = loadAjv()
  const { props, items } = it
  if (props instanceof Name) gen.code(_`${props} ??= Object.create(null)`)
  else if (props !== true) {
    // Without a prototype: nobody has spoken of a member `toString`.
    const room = gen.var('props', _`Object.create(null)`)
    for (const name of Object.keys(props ?? {})) gen.assign(_`${room}[${name}]`, true)
    it.props = room
  }
  if (items instanceof Name) gen.code(_`${items} ??= 0`)
  else if (items !== true) it.items = gen.var('items', items ?? 0)
}
