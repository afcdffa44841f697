// What of a content can be shown small, and what is said where it cannot. Types alone: the thread that draws has them, too.
import type { Result } from '../../errors/result.ts'

/** A small picture of a content. */
export interface Picture {
  /** `data:` address of a WebP. */
  readonly data: string
  readonly width: number
  readonly height: number
  /** Of what it was made. */
  readonly of:
    | { readonly kind: 'page'; readonly pages: number }
    | {
        readonly kind: 'picture'
        readonly width: number
        readonly height: number
        readonly frames: number
        /** It says where it was taken. */
        readonly located: boolean
      }
}

/** Why there is none. */
export type NoPicture =
  /** An SVG draws by what stands in it: scripts, addresses, work without end. */
  | { readonly why: 'svg' }
  | { readonly why: 'unknown-type' }
  | { readonly why: 'not-installed' }
  | { readonly why: 'too-large' }
  | { readonly why: 'too-many-pixels'; readonly width: number; readonly height: number }
  /** What moves in it need not begin with what can be drawn of it here. */
  | { readonly why: 'moves' }
  | { readonly why: 'encrypted' }
  | { readonly why: 'damaged' }
  /** It took more time or memory than a picture may take. */
  | { readonly why: 'too-costly' }
  | { readonly why: 'busy' }
  /** The content could not be read. */
  | { readonly why: 'unreadable' }

export type Drawn = Result<Picture, NoPicture>

/** How a type is drawn: by pdfium, or by this loader of libvips. */
export type Way = 'pdf' | 'Jpeg' | 'Png' | 'Webp' | 'Nsgif' | 'Tiff' | 'Heif'

/** By what `file-type` says of contents. */
export const ways: ReadonlyMap<string, Way> = new Map<string, Way>([
  ['application/pdf', 'pdf'],
  ['image/jpeg', 'Jpeg'],
  ['image/png', 'Png'],
  ['image/apng', 'Png'],
  ['image/webp', 'Webp'],
  ['image/gif', 'Nsgif'],
  ['image/tiff', 'Tiff'],
  ['image/avif', 'Heif'],
])

/** What the thread is given. */
export interface DrawRequest {
  readonly way: Way
  readonly bytes: Uint8Array
}
