// Edits of names: the one that was meant, or the import that is missing.
import { nearest } from '../../../errors/nearest.ts'
import { indentOf, literalText } from '../program-text.ts'
import {
  closingIndex,
  endOf,
  insertEdit,
  lineEdit,
  placeOf,
  spanEdit,
  tokenEdit,
  type Edits,
  type Mistake,
} from './mistake.ts'
import { meant, namesIn, renamed } from './names.ts'
import {
  calledModules,
  homeOf,
  movedModules,
  pythonBuiltins,
  pythonMethods,
  pythonModules,
  pythonWords,
} from './python-words.ts'

const suggestionIn = (message: string): string | undefined => /Did you mean:? '([\w.]{1,200})'\?/.exec(message)?.[1]

/** The import as a first line, below what must stand above it. */
function withImport({ program }: Mistake, statement: string): Edits {
  let line = 1
  while (/^(?:#|from __future__)/.test(program.lines[line - 1] ?? '')) line++
  const text = program.lines[line - 1]
  if (text === undefined) return []
  // A docstring stays where it is: an import above it is no mistake.
  return [{ line, before: text, after: `${statement}\n${text}` }]
}

/** A name that is not defined: imported, or spelt as it was meant. */
export function pythonName(mistake: Mistake): Edits {
  const { program, error, groups, known } = mistake
  const name = groups['name'] ?? ''
  const isModule = pythonModules.has(name) || known.packages?.has(name) === true
  const isUsedAsModule = program.tokens.some(
    (token, at) => token.text === name && token.kind === 'name' && program.tokens[at + 1]?.text === '.',
  )
  if (isModule && isUsedAsModule) return withImport(mistake, `import ${name}`)
  const aliases: Readonly<Record<string, string>> = { dt: 'datetime', stats: 'statistics' }
  const alias = aliases[name]
  if (alias !== undefined && isUsedAsModule) return withImport(mistake, `import ${alias} as ${name}`)
  const word = Object.hasOwn(pythonWords, name) ? pythonWords[name] : undefined
  const suggested = suggestionIn(error.message)
  if (word !== undefined && suggested === undefined && name !== 'this') return renamed(program, name, word)
  const home = homeOf(name)
  if (home !== undefined) return withImport(mistake, `from ${home} import ${name}`)
  if (
    program.tokens.some(({ text }, at) => text === name && /^(?:def|class)$/.test(program.tokens[at - 1]?.text ?? ''))
  )
    return []
  const to = suggested ?? word ?? meant(name, [...definedIn(mistake), ...pythonBuiltins.likely(name)])
  return to === undefined ? [] : renamed(program, name, to)
}

const definesBefore = new Set(['=', ':=', ',', 'in', ')', ':', '+='])
const definesAfter = new Set(['def', 'class', 'for', 'import', 'as', 'global'])

/** Names that the program gives a value: before `=`, after `def`, `class`, `for`, `import`, `as`, and parameters. */
function definedIn({ program }: Mistake): ReadonlySet<string> {
  const found = new Set<string>()
  const { tokens } = program
  for (const [at, { kind, text }] of tokens.entries()) {
    const [before, next] = [tokens[at - 1]?.text ?? '', tokens[at + 1]?.text ?? '']
    if (kind === 'name' && (definesBefore.has(next) || definesAfter.has(before))) found.add(text)
  }
  return found
}

/** A variable of the module, or of the function around, that a function means to change. */
export function pythonGlobal(mistake: Mistake): Edits {
  const { program, groups } = mistake
  const place = placeOf(mistake)
  const name = groups['name'] ?? ''
  if (place === undefined) return []
  let head = place.line
  while (
    head > 0 &&
    !(
      /^\s{0,200}(?:async )?def /.test(program.lines[head - 1] ?? '') &&
      indentOf(program.lines[head - 1] ?? '').length < place.indent.length
    )
  )
    head--
  const body = program.lines[head]
  if (head === 0 || body === undefined) return []
  const assigned = program.lines.findIndex(
    (line) =>
      line.trimStart().startsWith(`${name} =`) &&
      indentOf(line).length <= indentOf(program.lines[head - 1] ?? '').length,
  )
  if (assigned === -1) return []
  const word = indentOf(program.lines[assigned] ?? '') === '' ? 'global' : 'nonlocal'
  return [{ line: head + 1, before: body, after: `${indentOf(body)}${word} ${name}\n${body}` }]
}

/** A module under the name that it has here. */
export function pythonModule({ program, groups, known }: Mistake): Edits {
  const name = (groups['name'] ?? '').split('.', 1)[0] ?? ''
  const moved = movedModules[name]
  if (moved === 'io') {
    const line = program.lines.findIndex((text) => text.trim() === 'from StringIO import StringIO')
    return line === -1 ? [] : lineEdit(program, line + 1, 'from io import StringIO')
  }
  if (moved !== undefined) {
    const at = program.lines.findIndex((text) => text.trim() === `import ${name}`)
    return at === -1
      ? renamed(program, name, moved)
      : lineEdit(program, at + 1, `${indentOf(program.lines[at] ?? '')}import ${moved} as ${name}`)
  }
  const to = meant(name, [...pythonModules.likely(name), ...(known.packages?.keys() ?? [])])
  return to === undefined ? [] : renamed(program, name, to)
}

const abstract = new Set([
  'Mapping',
  'MutableMapping',
  'Sequence',
  'Iterable',
  'Iterator',
  'Callable',
  'Hashable',
  'Set',
  'Generator',
])

/** A name as its module has it. */
export function pythonExport(mistake: Mistake): Edits {
  const { program, error, groups } = mistake
  const [name = '', module = ''] = [groups['name'], groups['module']]
  const place = placeOf(mistake)
  if (module === 'collections' && abstract.has(name) && place !== undefined)
    return lineEdit(program, place.line, place.text.replace('from collections import', 'from collections.abc import'))
  const to = suggestionIn(error.message)
  if (to !== undefined) return renamed(program, name, to)
  const home = homeOf(name)
  return home === undefined || home === module || place === undefined
    ? []
    : lineEdit(program, place.line, place.text.replace(`from ${module} import ${name}`, `from ${home} import ${name}`))
}

/** An attribute as its type has it; a length, which is a function in Python. */
export function pythonAttribute(mistake: Mistake): Edits {
  const { program, error, groups } = mistake
  const [name = '', owner = ''] = [groups['name'], groups['owner']]
  const place = placeOf(mistake)
  if (place !== undefined && /^(?:length|size|count|len)$/.test(name)) {
    const at = place.tokens.findIndex((token, index) => token.text === name && place.tokens[index - 1]?.text === '.')
    const owned = place.tokens[at - 2]
    const called = place.tokens[at + 1]?.text === '(' && place.tokens[at + 2]?.text === ')'
    const end = place.tokens[called ? at + 2 : at]
    if (owned?.kind === 'name' && end !== undefined && place.tokens[at - 3]?.text !== '.')
      return spanEdit(program, owned.start, endOf(end), `len(${owned.text})`)
  }
  const swapped = pythonMethods[owner.replace(/^type /, '')]?.[name]
  const to = swapped ?? suggestionIn(error.message) ?? meant(name, ownAttributes(mistake))
  return to === undefined || to.includes('.') ? [] : renamed(program, name, to, true)
}

const ownAttributes = ({ program }: Mistake): readonly string[] => [
  ...namesIn(program, true)
    .filter((token) => program.code[endOf(token)] !== '(')
    .map(({ text }) => text),
  ...program.tokens.filter((_, at) => program.tokens[at - 1]?.text === 'def').map(({ text }) => text),
]

/** A key as the program writes it elsewhere. */
export function pythonKey(mistake: Mistake): Edits {
  const { program, groups } = mistake
  const place = placeOf(mistake)
  const wanted = literalText(groups['name'] ?? '')
  if (place === undefined || !/^['"]/.test(groups['name'] ?? '')) return []
  const token = place.tokens.find(({ kind, text }) => kind === 'string' && literalText(text) === wanted)
  if (token === undefined) return []
  const texts = program.tokens.filter(({ kind }) => kind === 'string').map(({ text }) => literalText(text))
  const inner = texts.flatMap((text) => [...text.matchAll(/"([^"\n]{1,60})"\s{0,5}:/g)].map(([, key]) => key ?? ''))
  const others = new Set([...texts, ...inner])
  others.delete(wanted)
  const to =
    meant(wanted, others) ??
    (wanted.length > 2
      ? nearest(
          wanted,
          [...others].filter((one) => one.toLowerCase() === wanted.toLowerCase()),
          1,
        )[0]
      : undefined)
  return to === undefined ? [] : tokenEdit(program, token, token.text.replace(wanted, to))
}

/** `datetime(…)` after `import datetime`. */
export function pythonModuleCall(mistake: Mistake): Edits {
  const { program } = mistake
  const place = placeOf(mistake)
  const at = place?.tokens.findIndex(
    (token, index) =>
      token.kind === 'name' &&
      Object.hasOwn(calledModules, token.text) &&
      place.tokens[index + 1]?.text === '(' &&
      place.tokens[index - 1]?.text !== '.',
  )
  const token = place?.tokens[at ?? -1]
  return token === undefined ? [] : tokenEdit(program, token, `${token.text}.${calledModules[token.text]}`)
}

/** A method without `self`. */
export function pythonSelf(mistake: Mistake): Edits {
  const { program, groups } = mistake
  const { tokens } = program
  const at = tokens.findIndex(({ text }, index) => text === groups['method'] && tokens[index - 1]?.text === 'def')
  const open = tokens[at + 1]
  const end = closingIndex(tokens, at + 1)
  if (at === -1 || open?.text !== '(' || end === -1 || /^(?:self|cls)$/.test(tokens[at + 2]?.text ?? '')) return []
  return insertEdit(program, endOf(open), end === at + 2 ? 'self' : 'self, ')
}

/** An argument by the name that the function has for it. */
export function pythonKeyword(mistake: Mistake): Edits {
  const { program, groups, error } = mistake
  const place = placeOf(mistake)
  const name = groups['name'] ?? ''
  const called = /^(?:[\w.]{1,200}\.)?(\w{1,200})\(\) got an unexpected/.exec(error.message)?.[1]
  const { tokens } = program
  const functionName = called === '__init__' ? '__init__' : called
  const at = tokens.findIndex(({ text }, index) => text === functionName && tokens[index - 1]?.text === 'def')
  const token = place?.tokens.find(({ text }, index) => text === name && place.tokens[index + 1]?.text === '=')
  if (at === -1 || token === undefined) return []
  const parameters = tokens
    .slice(at + 2, Math.max(at + 2, closingIndex(tokens, at + 1)))
    .filter(({ kind }) => kind === 'name')
  const to = meant(
    name,
    parameters.map(({ text }) => text),
  )
  return to === undefined ? [] : tokenEdit(program, token, to)
}

const inPlace =
  /^(\s{0,200})(\w{1,100}) = ([\w.]{1,100})\.(sort|reverse|append|extend|insert|update|add|remove|clear|shuffle)\((.{0,200})\)$/

/** `items = items.sort()`: the result of a method that changes in place is None. */
export function pythonInPlace({ program }: Mistake): Edits {
  const found = program.lines.flatMap((text, at) => {
    const match = inPlace.exec(text.slice(0, 600).trimEnd())
    return match === null ? [] : [{ line: at + 1, match }]
  })
  const [only] = found
  if (only === undefined || found.length > 1) return []
  const [, indent = '', target = '', owner = '', method = '', inner = ''] = only.match
  if (target === owner || owner === 'random')
    return lineEdit(program, only.line, `${indent}${owner}.${method}(${inner})`)
  if (method === 'sort')
    return lineEdit(program, only.line, `${indent}${target} = sorted(${owner}${inner === '' ? '' : `, ${inner}`})`)
  return method === 'reverse'
    ? lineEdit(program, only.line, `${indent}${target} = ${owner}[::-1]`)
    : lineEdit(program, only.line, `${indent}${owner}.${method}(${inner})\n${indent}${target} = ${owner}`)
}
