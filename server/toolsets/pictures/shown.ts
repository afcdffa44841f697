// How a card shows a picture, and says in one sentence why it shows none.
import type { CardBlock, CardValue } from '../../model/card.ts'
import { textValue } from '../say.ts'
import type { Drawn, NoPicture, Picture } from './picture.ts'
import { pictureWordsIn, type PictureWords } from './words.ts'

/** The block with the picture, where there is one. */
export function pictureBlocks(drawn: Drawn | undefined, name: string, words = pictureWordsIn('en')): CardBlock[] {
  if (drawn?.ok !== true) return []
  const { data, width, height, of } = drawn.value
  const alt = of.kind === 'page' ? words.ofFirstPage(name) : words.ofPicture(name)
  return [{ kind: 'picture', label: `${name} · ${partOf(of, words)}`, alt, data, width, height }]
}

function partOf(of: Picture['of'], words: PictureWords): string {
  if (of.kind === 'page') return words.page(of.pages)
  const size = words.pixels(of.width, of.height)
  return of.frames > 1 ? `${words.frame(of.frames)} · ${size}` : size
}

/** A warning where whoever gets the file learns from it what its picture does not show. */
export const pictureWarnings = (
  drawn: Drawn | undefined,
  name: string,
  { located } = pictureWordsIn('en'),
): { title: string; text: string }[] =>
  drawn?.ok === true && drawn.value.of.kind === 'picture' && drawn.value.of.located
    ? [{ title: located.title(name), text: located.text }]
    : []

/** Why there is none, as the value of a field; nothing where there is one, or nobody expects one. */
export const noPictureValue = (drawn: Drawn | undefined, words = pictureWordsIn('en')): CardValue | undefined =>
  drawn === undefined || drawn.ok ? undefined : textValue(words.notShown(reasonOf(drawn.failure, words)))

const reasonOf = (reason: NoPicture, { pixels, reasons, tooManyPixels }: PictureWords): string =>
  reason.why === 'too-many-pixels' ? tooManyPixels(pixels(reason.width, reason.height)) : reasons[reason.why]
