// Draws one picture, in a thread that ends with it. The bytes are a stranger's, so what reads them is WebAssembly. Before it
// gets them the thread has closed its files; its memory ends where it is told to, and whoever started it ends it in time.
import { parentPort, workerData } from 'node:worker_threads'
import type StartVips from 'wasm-vips'
import { fail, ok } from '../../errors/result.ts'
import { closeFiles } from './close-files.ts'
import { isSequence, pngFrames } from './frames.ts'
import type { Drawn, DrawRequest, Picture, Way } from './picture.ts'

/** The box into which a picture is made: what a card can be wide, and a page of text can be read in. */
const widest = 640
const highest = 800
/** Bytes of a picture; in a `data:` address they are a third more (`cardLimits.picture`). */
const mostBytes = 47_000
/** Pixels that are unpacked: more than any telephone takes. */
const mostPixels = 120_000_000
/** Of 64 KiB, of each of the two programs: 256 MB, with which libvips begins. */
const memoryPages = 4096
const qualities = [80, 60, 40, 20] as const

/** Whether more memory was needed than there is: pdfium leaves out what it has no memory for, and goes on. */
let isShort = false
/** Emscripten asks for a fifth more than is needed, then for less of that (`_emscripten_resize_heap`). */
const mostTries = 3

/** libvips asks for its memory by the constructor, pdfium makes its own and lets it grow: neither gets more than this. */
function boundMemory(): void {
  const { Memory } = WebAssembly
  const { prototype } = Memory
  // oxlint-disable-next-line typescript/unbound-method -- it is called on the memory that it was asked of.
  const { grow } = prototype
  let misses = 0
  WebAssembly.Memory = class extends Memory {
    constructor(asked: WebAssembly.MemoryDescriptor) {
      super({ ...asked, maximum: memoryPages })
    }
  }
  prototype.grow = function (this: WebAssembly.Memory, pages: number): number {
    misses = this.buffer.byteLength / 65_536 + pages > memoryPages ? misses + 1 : 0
    isShort ||= misses >= mostTries
    if (misses > 0 || isShort) throw new RangeError('A picture has no more memory.')
    return grow.call(this, pages)
  }
}

type Vips = Awaited<ReturnType<typeof StartVips>>
type Image = InstanceType<Vips['Image']>

async function openVips(way: Way): Promise<Vips> {
  const { default: start } = await import('wasm-vips')
  const silent = (): void => undefined
  // Of a damaged file libvips would say each line that it cannot read.
  const preRun = (module: { ENV: Record<string, string> }): void => void (module.ENV['VIPS_WARNING'] = '0')
  const dynamicLibraries = way === 'Heif' ? ['vips-heif.wasm'] : []
  const vips = await start({ dynamicLibraries, preRun, print: silent, printErr: silent })
  vips.concurrency(1)
  // Whatever else the bytes may look like to libvips, they are read as what `file-type` says that they are.
  vips.operationBlock('VipsForeignLoad', true)
  vips.operationBlock(`VipsForeignLoad${way}`, way === 'pdf')
  return vips
}

/** Half a picture is none: what its other half shows is not known. */
const strict = { option_string: '[fail_on=truncated]' } as const

async function drawPicture({ way, bytes }: DrawRequest): Promise<Drawn> {
  const vips = await openVips(way)
  closeFiles()
  const header = vips.Image.newFromBuffer(bytes, '', { access: 'sequential' })
  const number = (name: string): number => (header.getTypeof(name) === 0 ? 1 : header.getInt(name))
  const animated = way === 'Png' ? pngFrames(bytes) : undefined
  // Others show its frames, and never what stands before them.
  if (animated?.hasStill === false || (way === 'Heif' && isSequence(bytes))) return fail({ why: 'moves' })
  const frames = animated?.frames ?? number('n-pages')
  // Of an exposure that was turned, the sides change places (Exif 3.0, 4.6.5).
  const [width, height] = number('orientation') > 4 ? [header.height, header.width] : [header.width, header.height]
  if (width * height > mostPixels) return fail({ why: 'too-many-pixels', width, height })
  const small = vips.Image.thumbnailBuffer(bytes, widest, { ...strict, height: highest, size: 'down' })
  // What a telephone writes into its pictures (Exif 3.0, 4.6.7), and programs for photographs beside it (XMP, part 2, 2.4).
  const located =
    header.getTypeof('exif-ifd3-GPSLatitude') !== 0 ||
    (header.getTypeof('xmp-data') !== 0 && Buffer.from(header.getBlob('xmp-data')).includes('GPSLatitude'))
  return ok(packed(small, { kind: 'picture', width, height, frames, located }))
}

async function drawPage({ way, bytes }: DrawRequest): Promise<Drawn> {
  const { PDFiumLibrary } = await import('@hyzyla/pdfium')
  const [pdfium, vips] = await Promise.all([PDFiumLibrary.init(), openVips(way)])
  closeFiles()
  const document = await pdfium.loadDocument(bytes)
  const pages = document.getPageCount()
  const page = document.getPage(0)
  const large = largeImage(page)
  if (large !== undefined) return fail({ why: 'too-many-pixels', ...large })
  const { originalWidth, originalHeight } = page.getOriginalSize()
  // Twice as large, and made smaller afterwards: pdfium draws letters with the colours of a screen's subpixels.
  const scale = 2 * Math.min(widest / originalWidth, highest / originalHeight)
  const side = (points: number): number => Math.max(1, Math.round(points * scale))
  const { data, width, height } = await page.render({
    width: side(originalWidth),
    height: side(originalHeight),
    render: 'bitmap',
    // What somebody filled in is what the page says.
    renderFormFields: true,
  })
  const drawn = vips.Image.newFromMemory(data, width, height, 4, vips.BandFormat.uchar).copy({ interpretation: 'srgb' })
  return ok(packed(drawn.thumbnailImage(widest, { height: highest, size: 'down' }), { kind: 'page', pages }))
}

/** What the wrapper of pdfium hands out of it, but not by its types: sizes, and what is within forms and annotations. */
interface Pdfium {
  readonly HEAPU8: Uint8Array
  readonly wasmExports: Readonly<Record<string, (...given: number[]) => number>>
}

/** Of `fpdf_edit.h`: `FPDF_PAGEOBJ_IMAGE` and `FPDF_PAGEOBJ_FORM`. */
const imageObject = 3
const formObject = 5

/**
 * The size of an image on the page that has more pixels than may be unpacked. pdfium leaves out what is too large for it, before
 * it asks for any memory.
 */
function largeImage(page: object): { readonly width: number; readonly height: number } | undefined {
  const { module, pageIdx } = page as { readonly module: Pdfium; readonly pageIdx: number }
  const call = (name: string, ...given: number[]): number => {
    const found = module.wasmExports[name]
    if (found === undefined) throw new Error(`pdfium has no ${name}.`)
    return found(...given)
  }
  const sizeAt = call('malloc', 8)
  const within = (count: string, get: string, of: number): ReturnType<typeof largeImage> => {
    for (let at = 0, end = call(count, of); at < end; at += 1) {
      const object = call(get, of, at)
      const type = call('FPDFPageObj_GetType', object)
      if (type === formObject) {
        const found = within('FPDFFormObj_CountObjects', 'FPDFFormObj_GetObject', object)
        if (found !== undefined) return found
      }
      if (type !== imageObject || call('FPDFImageObj_GetImagePixelSize', object, sizeAt, sizeAt + 4) === 0) continue
      const size = new DataView(module.HEAPU8.buffer, sizeAt, 8)
      const [width, height] = [size.getUint32(0, true), size.getUint32(4, true)]
      if (width * height > mostPixels) return { width, height }
    }
    return undefined
  }
  const onPage = within('FPDFPage_CountObjects', 'FPDFPage_GetObject', pageIdx)
  if (onPage !== undefined) return onPage
  for (let at = 0, end = call('FPDFPage_GetAnnotCount', pageIdx); at < end; at += 1) {
    const annotation = call('FPDFPage_GetAnnot', pageIdx, at)
    const found = within('FPDFAnnot_GetObjectCount', 'FPDFAnnot_GetObject', annotation)
    call('FPDFPage_CloseAnnot', annotation)
    if (found !== undefined) return found
  }
  return undefined
}

/** As a WebP on white, without anything else that stood in the file; as good as its size allows. */
function packed(image: Image, of: Picture['of']): Picture {
  const flat = image.hasAlpha() ? image.flatten({ background: [255, 255, 255] }) : image
  // A file is read once, from its beginning to its end, however often this is written.
  for (let shown = flat.copyMemory(); ; shown = shown.resize(0.7))
    for (const Q of qualities) {
      const webp = shown.webpsaveBuffer({ Q, keep: 0 })
      if (webp.byteLength <= mostBytes)
        return {
          data: `data:image/webp;base64,${Buffer.from(webp).toString('base64')}`,
          width: shown.width,
          height: shown.height,
          of,
        }
    }
}

/** What was wrong with the bytes, by what the libraries say of them: neither has codes for it. */
function failed(error: unknown): Drawn {
  if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')
    return fail({ why: 'not-installed' })
  const said = error instanceof Error ? error.message : String((error as { message?: unknown }).message ?? error)
  if (/password|security scheme/i.test(said)) return fail({ why: 'encrypted' })
  // A program of WebAssembly that has no more memory says so, or unwinds.
  const isOver = /out of memory|insufficient memory|memory allocation error|failed to allocate|unwind/i.test(said)
  if (isOver || error instanceof RangeError || error instanceof WebAssembly.RuntimeError)
    return fail({ why: 'too-costly' })
  return fail({ why: 'damaged' })
}

boundMemory()
const request = workerData as DrawRequest
const drawn = await (request.way === 'pdf' ? drawPage(request) : drawPicture(request)).catch(failed)
const answer = drawn.ok && isShort ? fail({ why: 'too-costly' }) : drawn
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port between threads has no origin.
parentPort?.postMessage(answer)
