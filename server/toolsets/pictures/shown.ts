// How a card shows a picture, and says in one sentence why it shows none.
import type { CardBlock, CardValue } from '../../model/card.ts'
import { textValue } from '../say.ts'
import type { Drawn, NoPicture, Picture } from './picture.ts'

/** The block with the picture, where there is one. */
export function pictureBlocks(drawn: Drawn | undefined, name: string): CardBlock[] {
  if (drawn?.ok !== true) return []
  const { data, width, height, of } = drawn.value
  const alt = of.kind === 'page' ? `The first page of ${name}` : `The picture in ${name}`
  return [{ kind: 'picture', label: `${name} · ${partOf(of)}`, alt, data, width, height }]
}

function partOf(of: Picture['of']): string {
  if (of.kind === 'page') return `page 1 of ${of.pages}`
  const size = `${of.width} × ${of.height} pixels`
  return of.frames > 1 ? `picture 1 of ${of.frames} · ${size}` : size
}

/** A warning where whoever gets the file learns from it what its picture does not show. */
export const pictureWarnings = (drawn: Drawn | undefined, name: string): { title: string; text: string }[] =>
  drawn?.ok === true && drawn.value.of.kind === 'picture' && drawn.value.of.located
    ? [
        {
          title: `${name} says where the picture was taken.`,
          text: 'Whoever has it can read the place. Without its GPS data, uploaded again, it does not say so.',
        },
      ]
    : []

/** Why there is none, as the value of a field; nothing where there is one, or nobody expects one. */
export const noPictureValue = (drawn: Drawn | undefined): CardValue | undefined =>
  drawn === undefined || drawn.ok ? undefined : textValue(`Not shown: ${reasonOf(drawn.failure)}`)

function reasonOf(reason: NoPicture): string {
  switch (reason.why) {
    case 'svg':
      return 'an SVG may do more than draw'
    case 'unknown-type':
      return 'pictures of this type are not drawn here'
    case 'not-installed':
      return 'wasm-vips and @hyzyla/pdfium, which draw it, are not installed'
    case 'too-large':
      return 'it is larger than 64 MB'
    case 'too-many-pixels':
      return `it unpacks to ${reason.width} × ${reason.height} pixels`
    case 'moves':
      return 'it moves, and its still picture is another one'
    case 'encrypted':
      return 'it asks for a password'
    case 'damaged':
      return 'it is damaged, or made so that it cannot be drawn'
    case 'too-costly':
      return 'drawing it takes more time or memory than it may take'
    case 'busy':
      return 'too many other pictures are being drawn'
    case 'unreadable':
      return 'the stored content cannot be read'
    default:
      return reason satisfies never
  }
}
