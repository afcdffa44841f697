// Names and types as senders claim them, and what is made of them.
import { deflateRawSync, gzipSync } from 'node:zlib'
import { assert, constant, oneof, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { contentTypeOf, falseTypeOf, firstLines } from '../../../../../server/toolsets/files/contents/content-type.ts'
import { attachment, cleanName } from '../../../../../server/toolsets/files/contents/names.ts'
import { invisible } from '../../../../../server/cards/invisible-characters.ts'
import { anyCharacter } from '../../../../kit/any-character.ts'

const cleaned = (name: string): string | undefined => {
  const clean = cleanName(name)
  return clean.ok ? clean.value : undefined
}

test.each([
  ['../../etc/passwd', 'passwd'],
  ['C:\\Windows\\system32\\cmd.exe', 'cmd.exe'],
  ['invoice\u202Efdp.exe', 'invoicefdp.exe'],
  ['a\u0000b\r\nc.txt', 'ab c.txt'],
  ['  two   spaces .txt. ', 'two spaces .txt'],
  ['e\u0301tude.txt', '\u00E9tude.txt'],
  ['.htaccess', '.htaccess'],
  ['..', undefined],
  ['a/', undefined],
  ['\u200B\u2060', undefined],
  ['x'.repeat(201), undefined],
])('the name %j is kept as %j', (given, kept) => expect(cleaned(given)).toBe(kept))

test('whatever is sent, a name is one that can be seen, has no path, and stays as it is', () => {
  const text = oneof(string({ unit: anyCharacter }), string({ unit: 'grapheme' }), constant('\uD800a\uDC00/'))
  assert(
    property(text, (given) => {
      const name = cleaned(given)
      if (name === undefined) return
      expect(name).toMatch(/^[^/\\]+$/)
      expect(name).not.toMatch(invisible)
      expect(name.length).toBeLessThanOrEqual(200)
      expect(name.trim()).toBe(name)
      expect(cleaned(name)).toBe(name)
    }),
  )
})

test('whatever a name is, the header of a download is one line of ASCII that says it exactly', () => {
  assert(
    property(string({ unit: 'grapheme' }), (given) => {
      const name = cleaned(given)
      if (name === undefined) return
      const header = attachment(name)
      expect(header).toMatch(/^attachment; filename="[ !#-$&-[\]-~]*"; filename\*=UTF-8''[\w!#$&+.^`|~%-]+$/)
      expect(decodeURIComponent(header.split("UTF-8''")[1] ?? '')).toBe(name)
      expect(new Headers({ 'content-disposition': header }).get('content-disposition')).toBe(header)
    }),
  )
})

const bytes = (text: string, encoding: BufferEncoding = 'utf8'): Uint8Array => Buffer.from(text, encoding)

test.each([
  ['text', bytes('Grüße, 世界\n'), 'text/plain'],
  ['text that begins as a picture does', bytes('BM stands for a name'), 'text/plain'],
  ['text that begins as a program does', bytes('MZ stands for a name'), 'text/plain'],
  ['UTF-16 with its mark', bytes('\uFEFFhello', 'utf16le'), 'text/plain'],
  ['a page', bytes('\n<!DOCTYPE html><title>x</title>'), 'text/html'],
  ['a picture in XML', bytes('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/svg+xml'],
  ['a PDF', bytes('%PDF-1.7\n1 0 obj'), 'application/pdf'],
  ['a Windows program', Buffer.concat([bytes('MZ'), Buffer.alloc(200)]), 'application/x-msdownload'],
  ['nothing', bytes(''), 'application/octet-stream'],
  ['bytes', Buffer.from([0, 1, 2, 3, 255]), 'application/octet-stream'],
  ['Latin-1', Buffer.from('Gr\u00FC\u00DFe', 'latin1'), 'application/octet-stream'],
])('%s is of its type, whatever it is called', async (_, content, type) =>
  expect(await contentTypeOf(content)).toBe(type),
)

test('an archive that would unpack to gigabytes is one archive, and nothing of it is unpacked', async () => {
  const packed = deflateRawSync(Buffer.alloc(200_000_000))
  const name = '[Content_Types].xml'
  const head = Buffer.alloc(30)
  head.writeUInt32LE(0x04034b50, 0)
  head.writeUInt16LE(8, 8)
  head.writeUInt32LE(packed.byteLength, 18)
  // It says that it is small.
  head.writeUInt32LE(100, 22)
  head.writeUInt16LE(name.length, 26)
  const before = process.memoryUsage().rss
  expect(await contentTypeOf(Buffer.concat([head, Buffer.from(name), packed]))).toBe('application/zip')
  expect(await contentTypeOf(gzipSync(Buffer.alloc(200_000_000)))).toBe('application/gzip')
  expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000)
})

test.each([
  ['invoice.pdf', 'application/x-msdownload', 'The name says PDF, the content is a Windows program.'],
  ['photo.jpg', 'text/html', 'The name says JPEG picture, the content is a web page.'],
  ['notes.txt', 'application/octet-stream', 'The name says text, the content is of no known type.'],
  ['setup', 'application/x-elf', 'The content is a Linux program, and the name does not say so.'],
  ['setup.exe', 'application/x-msdownload', undefined],
  ['table.csv', 'text/plain', undefined],
  ['letter.docx', 'application/zip', undefined],
  ['anything.xyz', 'application/octet-stream', undefined],
  ['.pdf', 'text/plain', undefined],
])('of %s with %s a card says: %s', (name, type, said) => expect(falseTypeOf(name, type)).toBe(said))

test('the first lines of a text are few and whole letters, and of what is no text there are none', () => {
  const long = bytes('ü'.repeat(100_000))
  const shown = firstLines('text/plain', long)
  expect(shown).toStrictEqual({ text: 'ü'.repeat(800), more: true })
  expect(firstLines('text/plain', bytes('a\r\nb\n'))).toStrictEqual({ text: 'a\nb\n', more: true })
  expect(
    firstLines('text/plain', bytes(Array.from({ length: 30 }, (_, at) => at).join('\n')))?.text.split('\n'),
  ).toHaveLength(12)
  expect(firstLines('application/pdf', long)).toBeUndefined()
  expect(firstLines('image/png', long)).toBeUndefined()
})
