// Taking properties out of a JSON file of somebody's, and putting one in, so that every other character stays where it was:
// comments, blank lines, trailing commas. `jsonc-parser` finds the places; its own edits lay their surroundings out anew.
import { applyEdits, createScanner, findNodeAtLocation, modify, parseTree, type Node } from 'jsonc-parser'
import type { HostEdit } from './host-text.ts'

/** The text with the edit. Throws where there is no such place; whoever calls compares what came of it. */
export function editJson(whole: string, { remove, set }: HostEdit): string {
  const mark = whole.startsWith('\uFEFF') ? '\uFEFF' : ''
  const text = whole.slice(mark.length)
  const root = parseTree(text, [], { allowTrailingComma: true })
  const properties = remove.map((path) => {
    const property = root && findNodeAtLocation(root, [...path])?.parent
    if (property?.type !== 'property') throw new Error(`There is nothing at ${path.join('.')}.`)
    return property
  })
  const around = set === undefined ? '' : JSON.stringify(set.at.slice(0, -1))
  const place = remove.findIndex((path) => JSON.stringify(path.slice(0, -1)) === around)
  const pieces = properties.map((property, at) =>
    at === place && set !== undefined
      ? { start: property.offset, end: endOf(property), text: written(text, property, set.at.at(-1) ?? '', set.value) }
      : { ...rangeWithoutGap(text, property), text: '' },
  )
  const edited = pieces
    .toSorted((a, b) => b.start - a.start)
    .reduce((held, { start, end, text: piece }) => held.slice(0, start) + piece + held.slice(end), text)
  const tidy = looseCommas(text).length > 0 ? edited : withoutLooseComma(edited)
  return `${mark}${set === undefined || place >= 0 ? tidy : inserted(tidy, set)}`
}

const endOf = ({ offset, length }: Node): number => offset + length

/** The property in the layout of the one whose place it takes. */
function written(text: string, { offset }: Node, name: string, value: object): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset)
  const own = /^\s*$/.test(line) ? line : ''
  const unit = /^([ \t]+)\S/m.exec(text)?.[1] ?? '  '
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  return `${JSON.stringify(name)}: ${JSON.stringify(value, null, unit)}`.replaceAll('\n', `${eol}${own}`)
}

/** From the property to behind its comma; with its line, where it stood on lines of its own. */
function rangeWithoutGap(text: string, property: Node): { readonly start: number; readonly end: number } {
  const next = tokensOf(text, endOf(property))()
  const end = next.char === ',' ? next.offset + 1 : endOf(property)
  const lineStart = text.lastIndexOf('\n', property.offset - 1) + 1
  const lineEnd = text.indexOf('\n', end)
  const alone =
    /^\s*$/.test(text.slice(lineStart, property.offset)) &&
    /^\s*$/.test(text.slice(end, lineEnd < 0 ? undefined : lineEnd))
  return alone && lineEnd >= 0 ? { start: lineStart, end: lineEnd + 1 } : { start: property.offset, end }
}

function inserted(text: string, set: NonNullable<HostEdit['set']>): string {
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? '  '
  const formattingOptions = {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.startsWith('\t') ? 1 : indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  }
  return applyEdits(text === '' ? '{}' : text, modify(text, [...set.at], set.value, { formattingOptions }))
}

/**
 * Where the last property went and had no comma, the one before it now ends in a comma, which its host may not take. A file
 * that had such commas before is one whose host takes them.
 */
const withoutLooseComma = (text: string): string =>
  looseCommas(text).reduceRight((held, at) => held.slice(0, at) + held.slice(at + 1), text)

/** The places of commas before a closing brace. */
function looseCommas(text: string): readonly number[] {
  const next = tokensOf(text, 0)
  const found: number[] = []
  for (let token = next(), comma = -1; token.char !== ''; token = next()) {
    if (comma >= 0 && token.char === '}') found.push(comma)
    comma = token.char === ',' ? token.offset : -1
  }
  return found
}

/** The tokens from a place on, without comments: where each begins, and with which character; at the end with none. */
function tokensOf(text: string, from: number): () => { readonly offset: number; readonly char: string } {
  const scanner = createScanner(text, true)
  scanner.setPosition(from)
  return () => {
    scanner.scan()
    return { offset: scanner.getTokenOffset(), char: text.charAt(scanner.getTokenOffset()) }
  }
}
