// What a file is says its content; what its name or its sender says of that is a claim, and where the two differ a person
// is told. Nothing is unpacked: of an archive only the beginnings of its entries are looked at, up to bounds of `file-type`.
import { endingOf } from './names.ts'

export const unknownType = 'application/octet-stream'

interface Kind {
  /** In a sentence: "The content is a PDF". */
  readonly is: string
  readonly types: readonly string[]
  readonly endings: readonly string[]
  readonly runs?: true
}

const office = 'application/vnd.openxmlformats-officedocument'
const openDocument = 'application/vnd.oasis.opendocument'
/** An archive of which no more is known may be one of those that consist of one. */
const zip = 'application/zip'

const kinds: readonly Kind[] = [
  { is: 'a Windows program', types: ['application/x-msdownload'], endings: ['exe', 'dll', 'scr', 'com'], runs: true },
  { is: 'a Linux program', types: ['application/x-elf'], endings: ['elf', 'so'], runs: true },
  { is: 'a macOS program', types: ['application/x-mach-binary'], endings: ['dylib'], runs: true },
  { is: 'a Windows shortcut', types: ['application/x.ms.shortcut'], endings: ['lnk'], runs: true },
  { is: 'a Java program', types: ['application/java-archive', zip], endings: ['jar'], runs: true },
  { is: 'a PDF', types: ['application/pdf'], endings: ['pdf'] },
  { is: 'a Word document', types: [`${office}.wordprocessingml.document`, zip], endings: ['docx'] },
  { is: 'an Excel workbook', types: [`${office}.spreadsheetml.sheet`, zip], endings: ['xlsx'] },
  { is: 'a PowerPoint presentation', types: [`${office}.presentationml.presentation`, zip], endings: ['pptx'] },
  { is: 'an OpenDocument text', types: [`${openDocument}.text`, zip], endings: ['odt'] },
  { is: 'an OpenDocument spreadsheet', types: [`${openDocument}.spreadsheet`, zip], endings: ['ods'] },
  { is: 'an old Office document', types: ['application/x-cfb'], endings: ['doc', 'xls', 'ppt', 'msg', 'msi'] },
  { is: 'a ZIP archive', types: [zip], endings: ['zip'] },
  { is: 'a gzip archive', types: ['application/gzip'], endings: ['gz', 'tgz'] },
  { is: 'a 7-Zip archive', types: ['application/x-7z-compressed'], endings: ['7z'] },
  { is: 'a RAR archive', types: ['application/x-rar-compressed'], endings: ['rar'] },
  { is: 'a JPEG picture', types: ['image/jpeg'], endings: ['jpg', 'jpeg'] },
  { is: 'a PNG picture', types: ['image/png', 'image/apng'], endings: ['png'] },
  { is: 'a GIF picture', types: ['image/gif'], endings: ['gif'] },
  { is: 'a WebP picture', types: ['image/webp'], endings: ['webp'] },
  { is: 'an SVG picture', types: ['image/svg+xml', 'application/xml'], endings: ['svg'] },
  { is: 'an MP3 recording', types: ['audio/mpeg'], endings: ['mp3'] },
  { is: 'an MP4 video', types: ['video/mp4'], endings: ['mp4', 'm4v'] },
  { is: 'an RTF document', types: ['application/rtf'], endings: ['rtf'] },
  { is: 'a web page', types: ['text/html', 'application/xml'], endings: ['html', 'htm', 'xhtml'] },
  { is: 'an XML document', types: ['application/xml', 'text/html', 'image/svg+xml'], endings: ['xml'] },
  {
    is: 'text',
    types: ['text/plain', 'text/html', 'text/calendar', 'text/vcard', 'application/xml'],
    endings: ['txt', 'md', 'csv', 'tsv', 'json', 'yaml', 'yml', 'log', 'ini', 'toml', 'sql', 'eml', 'ics', 'vcf'],
  },
]

const kindOf = (type: string): Kind | undefined => kinds.find(({ types }) => types[0] === type)

const isOf = (type: string): string =>
  kindOf(type)?.is ?? (type === unknownType ? 'of no known type' : `of the type ${type}`)

const withoutArticle = (is: string): string => is.replace(/^an? /, '')

/** What a type is called on a card: "Windows program", "PDF"; the type itself where it has no name here. */
export const typeName = (type: string): string => {
  const named = kindOf(type)
  if (named !== undefined) return withoutArticle(named.is)
  return type === unknownType ? 'unknown type' : type
}

/** What is wrong with a name, as a sentence; nothing where it says what the content is. */
export function falseTypeOf(name: string, type: string): string | undefined {
  const ending = endingOf(name)
  const said = kinds.find(({ endings }) => endings.includes(ending))
  if (said === undefined)
    return kindOf(type)?.runs === true ? `The content is ${isOf(type)}, and the name does not say so.` : undefined
  if (said.types.includes(type)) return undefined
  return `The name says ${withoutArticle(said.is)}, the content is ${isOf(type)}.`
}

/** Types that consist of text, and are more than that. */
const textual = /^(?:text\/.*|application\/(?:pdf|rtf|postscript|xml|.*\+xml))$/

/** The media type of a content. */
export async function contentTypeOf(bytes: Uint8Array): Promise<string> {
  const { fileTypeFromBuffer } = await import('file-type')
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
