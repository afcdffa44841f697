import type { NoPicture } from '../picture.ts'

/** The type of the other languages. */
export interface PictureWords {
  /** The field that says why there is none. */
  readonly label: string
  /** What the picture is of, for who does not see it. */
  readonly ofFirstPage: (name: string) => string
  readonly ofPicture: (name: string) => string
  readonly page: (pages: number) => string
  readonly frame: (frames: number) => string
  readonly pixels: (width: number, height: number) => string
  readonly located: { readonly title: (name: string) => string; readonly text: string }
  readonly notShown: (reason: string) => string
  readonly tooManyPixels: (pixels: string) => string
  readonly reasons: Readonly<Record<Exclude<NoPicture['why'], 'too-many-pixels'>, string>>
}

export const en: PictureWords = {
  label: 'Picture',
  ofFirstPage: (name) => `The first page of ${name}`,
  ofPicture: (name) => `The picture in ${name}`,
  page: (pages) => `page 1 of ${pages}`,
  frame: (frames) => `picture 1 of ${frames}`,
  pixels: (width, height) => `${width} × ${height} pixels`,
  located: {
    title: (name) => `${name} says where the picture was taken.`,
    text: 'Whoever has it can read the place. Without its GPS data, uploaded again, it does not say so.',
  },
  notShown: (reason) => `Not shown: ${reason}`,
  tooManyPixels: (pixels) => `it unpacks to ${pixels}`,
  reasons: {
    svg: 'an SVG may do more than draw',
    'unknown-type': 'pictures of this type are not drawn here',
    'not-installed': 'wasm-vips and @hyzyla/pdfium, which draw it, are not installed',
    'too-large': 'it is larger than 64 MB',
    moves: 'it moves, and its still picture is another one',
    encrypted: 'it asks for a password',
    damaged: 'it is damaged, or made so that it cannot be drawn',
    'too-costly': 'drawing it takes more time or memory than it may take',
    busy: 'too many other pictures are being drawn',
    unreadable: 'the stored content cannot be read',
  },
}
