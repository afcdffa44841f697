// What a file is says its content; what its name or its sender says of that is a claim, and where the two differ a person
// is told. Nothing is unpacked: of an archive only the beginnings of its entries are looked at, up to bounds of `file-type`.
import { packageOnFirstUse } from '../../../errors/optional-package.ts'
import { wordsIn, type FileKind } from '../words.ts'
import { endingOf } from './names.ts'

export const unknownType = 'application/octet-stream'

interface Kind {
  readonly is: FileKind
  readonly types: readonly string[]
  readonly endings: readonly string[]
  readonly runs?: true
}

const office = 'application/vnd.openxmlformats-officedocument'
const openDocument = 'application/vnd.oasis.opendocument'
/** An archive of which no more is known may be one of those that consist of one. */
const zip = 'application/zip'

const kinds: readonly Kind[] = [
  { is: 'windowsProgram', types: ['application/x-msdownload'], endings: ['exe', 'dll', 'scr', 'com'], runs: true },
  { is: 'linuxProgram', types: ['application/x-elf'], endings: ['elf', 'so'], runs: true },
  { is: 'macProgram', types: ['application/x-mach-binary'], endings: ['dylib'], runs: true },
  { is: 'windowsShortcut', types: ['application/x.ms.shortcut'], endings: ['lnk'], runs: true },
  { is: 'javaProgram', types: ['application/java-archive', zip], endings: ['jar'], runs: true },
  { is: 'pdf', types: ['application/pdf'], endings: ['pdf'] },
  { is: 'word', types: [`${office}.wordprocessingml.document`, zip], endings: ['docx'] },
  { is: 'excel', types: [`${office}.spreadsheetml.sheet`, zip], endings: ['xlsx'] },
  { is: 'powerPoint', types: [`${office}.presentationml.presentation`, zip], endings: ['pptx'] },
  { is: 'openText', types: [`${openDocument}.text`, zip], endings: ['odt'] },
  { is: 'openSheet', types: [`${openDocument}.spreadsheet`, zip], endings: ['ods'] },
  { is: 'oldOffice', types: ['application/x-cfb'], endings: ['doc', 'xls', 'ppt', 'msg', 'msi'] },
  { is: 'zip', types: [zip], endings: ['zip'] },
  { is: 'gzip', types: ['application/gzip'], endings: ['gz', 'tgz'] },
  { is: 'sevenZip', types: ['application/x-7z-compressed'], endings: ['7z'] },
  { is: 'rar', types: ['application/x-rar-compressed'], endings: ['rar'] },
  { is: 'jpeg', types: ['image/jpeg'], endings: ['jpg', 'jpeg'] },
  { is: 'png', types: ['image/png', 'image/apng'], endings: ['png'] },
  { is: 'gif', types: ['image/gif'], endings: ['gif'] },
  { is: 'webp', types: ['image/webp'], endings: ['webp'] },
  { is: 'svg', types: ['image/svg+xml', 'application/xml'], endings: ['svg'] },
  { is: 'mp3', types: ['audio/mpeg'], endings: ['mp3'] },
  { is: 'mp4', types: ['video/mp4'], endings: ['mp4', 'm4v'] },
  { is: 'rtf', types: ['application/rtf'], endings: ['rtf'] },
  { is: 'webPage', types: ['text/html', 'application/xml'], endings: ['html', 'htm', 'xhtml'] },
  { is: 'xml', types: ['application/xml', 'text/html', 'image/svg+xml'], endings: ['xml'] },
  {
    is: 'text',
    types: ['text/plain', 'text/html', 'text/calendar', 'text/vcard', 'application/xml'],
    endings: ['txt', 'md', 'csv', 'tsv', 'json', 'yaml', 'yml', 'log', 'ini', 'toml', 'sql', 'eml', 'ics', 'vcf'],
  },
]

const kindOf = (type: string): Kind | undefined => kinds.find(({ types }) => types[0] === type)

/** A type without a name; absent where it is not known. */
const saidType = (type: string): string | undefined => (type === unknownType ? undefined : type)

/** What a type is called on a card: "Windows program", "PDF"; the type itself where it has no name here. */
export const typeName = (type: string, words = wordsIn('en')): string =>
  words.typeName(kindOf(type)?.is, saidType(type))

/** What is wrong with a name, as a sentence; nothing where it says what the content is. */
export function falseTypeOf(name: string, type: string, { falseType } = wordsIn('en')): string | undefined {
  const ending = endingOf(name)
  const said = kinds.find(({ endings }) => endings.includes(ending))
  const content = kindOf(type)
  if (said === undefined) return content?.runs === true ? falseType.unsaid(content.is) : undefined
  if (said.types.includes(type)) return undefined
  return falseType.otherwise(said.is, content?.is, saidType(type))
}

/** Types that consist of text, and are more than that. */
const textual = /^(?:text\/.*|application\/(?:pdf|rtf|postscript|xml|.*\+xml))$/

/** What recognizes a content. @throws {PackageMissing} where it is not installed. */
export const fileTypes = packageOnFirstUse('file-type', () => import('file-type'))

/** The media type of a content. */
export async function contentTypeOf(bytes: Uint8Array): Promise<string> {
  const { fileTypeFromBuffer } = await fileTypes()
  // It may give up on what is damaged on purpose: then nothing is known of it.
  const found = (await fileTypeFromBuffer(bytes).catch(() => undefined))?.mime
  const text = isText(bytes)
  if (found !== undefined && (!text || textual.test(found))) return found
  if (!text) return unknownType
  const beginning = textOf(bytes.subarray(0, 1024)).trimStart()
  if (/^<(?:!doctype html|html|head|body|script)\b/i.test(beginning)) return 'text/html'
  return /^<svg\b/i.test(beginning) ? 'image/svg+xml' : 'text/plain'
}

const encodingOf = ([first, second]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' =>
  first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'

/** Control characters that no text has: all but tabs, breaks of lines and pages, and those that Windows once used as letters. */
const control = /[^\P{Cc}\s\u0080-\u009F]/u

const step = 1024 * 1024

function isText(bytes: Uint8Array): boolean {
  const decoder = new TextDecoder(encodingOf(bytes), { fatal: true })
  try {
    for (let from = 0; from < bytes.byteLength; from += step) {
      const more = from + step < bytes.byteLength
      if (control.test(decoder.decode(bytes.subarray(from, from + step), { stream: more }))) return false
    }
    return bytes.byteLength > 0
  } catch {
    return false
  }
}

/** The text of a content or of its beginning, in which the last letter may be cut. */
export const textOf = (bytes: Uint8Array): string => new TextDecoder(encodingOf(bytes)).decode(bytes, { stream: true })

/** As much as a card shows without scrolling. */
const mostLines = 12
const mostCharacters = 800

/** The first lines of a text, and whether there is more; nothing of what is no text. */
export function firstLines(type: string, beginning: Uint8Array): { text: string; more: boolean } | undefined {
  if (!textual.test(type) || type === 'application/pdf') return undefined
  const shown = textOf(beginning.subarray(0, 4 * mostCharacters))
  const text = shown
    .split(/\r\n?|\n/)
    .slice(0, mostLines)
    .join('\n')
    .slice(0, mostCharacters)
    .toWellFormed()
  return { text, more: text.length < shown.length || beginning.byteLength > 4 * mostCharacters }
}
