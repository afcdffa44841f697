// English, which is the list of what has to be said: the other languages have its type.
import { pluralsOf } from '../../languages.ts'
import { byteUnits, userOver } from '../../say.ts'

const { counted } = pluralsOf<'one' | 'other'>('en')

/** In a sentence: "The content is a PDF". */
const is = {
  windowsProgram: 'a Windows program',
  linuxProgram: 'a Linux program',
  macProgram: 'a macOS program',
  windowsShortcut: 'a Windows shortcut',
  javaProgram: 'a Java program',
  pdf: 'a PDF',
  word: 'a Word document',
  excel: 'an Excel workbook',
  powerPoint: 'a PowerPoint presentation',
  openText: 'an OpenDocument text',
  openSheet: 'an OpenDocument spreadsheet',
  oldOffice: 'an old Office document',
  zip: 'a ZIP archive',
  gzip: 'a gzip archive',
  sevenZip: 'a 7-Zip archive',
  rar: 'a RAR archive',
  jpeg: 'a JPEG picture',
  png: 'a PNG picture',
  gif: 'a GIF picture',
  webp: 'a WebP picture',
  svg: 'an SVG picture',
  mp3: 'an MP3 recording',
  mp4: 'an MP4 video',
  rtf: 'an RTF document',
  webPage: 'a web page',
  xml: 'an XML document',
  text: 'text',
}

/** A type that has a name. */
export type FileKind = keyof typeof is

const withoutArticle = (kind: FileKind): string => is[kind].replace(/^an? /, '')

export const en = {
  /** What a type is called; `kind` is absent where it has no name, and `type` where it is not known. */
  typeName: (kind: FileKind | undefined, type: string | undefined): string =>
    kind === undefined ? (type ?? 'unknown type') : withoutArticle(kind),
  falseType: {
    unsaid: (content: FileKind) => `The content is ${is[content]}, and the name does not say so.`,
    otherwise: (said: FileKind, content: FileKind | undefined, type: string | undefined) =>
      `The name says ${withoutArticle(said)}, the content is ${content === undefined ? (type === undefined ? 'of no known type' : `of the type ${type}`) : is[content]}.`,
    text: 'Whoever opens it by its name may start something else.',
  },
  units: byteUnits,
  userOver,

  labels: {
    file: 'File',
    type: 'Type',
    size: 'Size',
    /** Of the fold that says what makes a content this content. */
    content: 'Content',
    version: 'Version',
    mediaType: 'Media type',
    uploaded: 'Uploaded',
    by: 'By',
    who: 'Who can open it',
    until: 'Until',
    servedBy: 'Served by',
    otherLinks: 'Other links that work',
    linkId: 'Link id',
    firstLines: 'First lines',
    text: 'Text',
  },

  unreadable: {
    gone: 'The stored content is gone.',
    changed: 'The stored content is not what was uploaded.',
    text: 'Nothing of it is handed on. Upload the file again, or ask the operator.',
  },

  link: {
    title: (name: string) => `Create a download link for ${name}`,
    titleAgain: (name: string) => `Give out the link for ${name} again`,
    summary: ({ name, content, until }: { name: string; content: string; until: string }) =>
      `Lets whoever has the address download ${name} (${content}) until ${until}.`,
    anybody: 'Whoever has the address, without signing in',
    s3: 'S3, not this server',
    isNew: 'A new address is made and given to the agent',
    isThere: 'The address of the link that is there is given to the agent once more',
    keeps: 'A version that is uploaded later is not given: the link keeps this content',
    notRecorded: 'Who downloads it, and how often, is neither counted nor on record here',
    recorded: 'Each download is put on record, with the address of whoever downloads',
    others: (number: number) =>
      counted(number, {
        one: '# other link to this file stays as it is',
        other: '# other links to this file stay as they are',
      }),
    forGood: {
      title: (until: string) => `Nobody can take this link back: it works until ${until}.`,
      text: 'S3 has signed it. It goes on working when it is regretted, and when the file is deleted.',
    },
    older: {
      title: (version: number, current: number) =>
        `The link gives version ${version}, and the file is version ${current} by now.`,
      text: 'To give the newer one, revoke this link first or choose another moment.',
    },
    noWebDoor: {
      title: 'This server has no web door open.',
      text: 'A link would lead nowhere. Serve it over HTTP.',
    },
    confirm: 'Create link',
    confirmAgain: 'Give link again',
    revoke: 'Revoke this link',
    done: (name: string) => `Download link for ${name}`,
    download: 'Download',
  },
}

export type FileWords = typeof en
