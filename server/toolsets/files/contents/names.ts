// Names come from outside and go to people and to their systems: as words on a card, and as a header that a browser makes a
// file's name of. Here they become words and nothing else.
import { invisible } from '../../../cards/invisible-characters.ts'
import { fail, ok, type Result } from '../../../errors/result.ts'

/** Characters of a name. */
const longest = 200

const hidden = new RegExp(invisible.source, 'gu')

/**
 * A name as it is kept: the last part of a path, without what cannot be seen or turns the reading direction, in the
 * composed form of its letters.
 */
export function cleanName(given: string): Result<string, 'empty' | 'too-long'> {
  const last = given.toWellFormed().split(/[/\\]/).at(-1) ?? ''
  const name = withoutEnd(
    last.replaceAll(/\s/gu, ' ').replaceAll(hidden, '').normalize('NFC').replaceAll(/ {2,}/g, ' ').trimStart(),
  )
  if (name === '') return fail('empty')
  return name.length > longest ? fail('too-long') : ok(name)
}

/** Windows cuts points and blanks off at the end, and then a name means another file. */
function withoutEnd(name: string): string {
  let end = name.length
  while (end > 0 && ' .'.includes(name.charAt(end - 1))) end -= 1
  return name.slice(0, end)
}

/** A name as it is searched: who types "resume" in capitals means the same. */
export const searchable = (name: string): string => name.normalize('NFKC').toLowerCase()

/** The ending of a name in small letters, without its point; empty where there is none. */
export const endingOf = (name: string): string => (/[^.]\.([^.]+)$/.exec(name)?.[1] ?? '').toLowerCase()

/** `Content-Disposition` of a download (RFC 6266): the name for old readers, and as it is. */
export function attachment(name: string): string {
  const plain = name.replaceAll(/[^\x20-\x7E]|["\\%]/g, '_')
  const exact = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`
}
