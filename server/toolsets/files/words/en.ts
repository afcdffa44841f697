// English, which is the list of what has to be said: the other languages have its type.
import { pluralsOf } from '../../languages.ts'
import { byteUnits, userOver } from '../../say.ts'

const { counted } = pluralsOf<'one' | 'other'>('en')

const versions = (number: number): string => counted(number, { one: '# version', other: '# versions' })

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

  noRoom: ({ all, left, needs }: { all: string; left: string; needs: string }) =>
    `Of ${all} there are ${left} left, and this file has ${needs}.`,

  revoke: {
    title: (name: string) => `Revoke the download link for ${name}`,
    summary: (name: string, until: string) =>
      `The address for ${name}, which would work until ${until}, stops working.`,
    created: 'Created',
    wouldWork: 'Would work until',
    downloads: 'Downloads',
    last: 'Last download',
    stops: 'The address stops working at once and for good',
    stays: 'The file and its other links stay',
    confirm: 'Revoke link',
    done: (name: string) => `Link for ${name} revoked`,
    signed: {
      title: (until: string) => `S3 has signed this link; it works until ${until}.`,
      text: 'This server cannot take it back. Whoever runs the bucket can remove the object.',
    },
  },

  remove: {
    title: (name: string) => `Delete ${name}`,
    summary: ({ name, number, until }: { name: string; number: number; until: string }) =>
      `Deletes the file ${name} and its ${versions(number)}; it can be restored until ${until}.`,
    versions: 'Versions',
    links: 'Download links that work',
    until: 'Can be restored until',
    stopped: 'Download links stopped',
    /** `number`: of versions. */
    gone: (number: number) =>
      number === 1
        ? 'The file is no longer there for anybody'
        : `The file and its ${versions(number)} are no longer there for anybody`,
    linksStop: (number: number) =>
      counted(number, {
        one: '# download link stops working; after a restore it works again',
        other: '# download links stop working; after a restore they work again',
      }),
    signedGoOn: (number: number, until: string) =>
      `${counted(number, { one: '# link that S3 has signed goes', other: '# links that S3 has signed go' })} on working until ${until}`,
    restorable: (until: string) => `Until ${until} it can be restored; then its contents are removed for good`,
    confirm: 'Delete file',
    done: (name: string) => `${name} deleted`,
  },

  restore: {
    title: (name: string) => `Restore ${name}`,
    summary: (name: string) => `Brings the deleted file ${name} back.`,
    back: 'The file and its versions are there again',
    linksWork: (number: number) =>
      counted(number, { one: '# download link works again', other: '# download links work again' }),
    confirm: 'Restore file',
    done: (name: string) => `${name} restored`,
    noRoom: 'There is no room for it.',
    /** Of a file that cannot be restored; in English a card has the message of the tool itself. */
    unknown: 'This file is not there, or it is not deleted.',
    taken: {
      title: (name: string) => `Another file is called ${name} by now.`,
      text: (id: string) => `Delete that one (${id}) first.`,
    },
  },

  older: {
    title: (number: number, name: string) => `Restore version ${number} of ${name}`,
    summary: ({ number, name, next }: { number: number; name: string; next: number }) =>
      `Makes version ${number} of ${name} the current one again, as version ${next}.`,
    content: 'Content (SHA-256)',
    stays: (current: number) => `Version ${current} stays and can be restored in the same way`,
    linksStay: 'Download links go on giving the version that they were made for',
    confirm: 'Restore version',
    back: (number: number) => `Back to version ${number}`,
    done: (name: string, number: number) => `${name} is version ${number} now`,
    same: {
      title: (name: string) => `${name} already has this content.`,
      text: (current: number, number: number) => `Version ${current} is the same as version ${number}.`,
    },
  },

  /** What has happened, by the code of the failure; in English a card has the message of the tool itself. */
  failures: {
    unknown_file: 'There is no such file.',
    unknown_link: 'There is no such download link, or it works no more.',
    unknown_version: 'The file has no such version.',
    unreadable_content: 'The stored content is lost or changed.',
    nothing_to_change: 'The file already has this content.',
    signed_by_s3: 'S3 has signed this link, and nobody can take it back.',
    expires_in_past: 'The moment is over.',
    expires_too_late: 'The moment is too far ahead.',
    no_web_door: 'This server has no address on the web.',
    no_room: 'There is not enough room.',
    name_taken: 'Another file has this name by now.',
  },
}

export type FileWords = typeof en
