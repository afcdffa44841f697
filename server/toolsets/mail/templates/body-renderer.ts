// The mails of a campaign differ in their values, and Markdown makes the same of what stands around them, as long as these
// are plain words between others. So that is read once, with a word in the place of each value, and the values are put into
// what came out. Where a value may make a difference, the mail is read as a whole.
import { escaped, renderBody, type Body } from '../send-external/body.ts'
import { joined, type TextParts } from './liquid.ts'
import { inMarkdown } from './values.ts'

/** A word that no mail has. */
const standIn = 'qxzjvqk'

/**
 * Letters and digits at both ends, where no mark begins or ends for them; signs in between are escaped, and none that an
 * address or HTML writes in another way than is done here.
 */
const isPlain = (value: string): boolean =>
  /^[A-Za-z0-9][ -&(-~]*[A-Za-z0-9]$/.test(value) && !/(?:https?|ftp|www|mailto|xmpp)$/i.test(value)

/** What may stand before a value and behind it: the end of another word, or an address that is asked with it. */
const before = /(?:^|[\s*_]|(?<!\])\(|\]\(https?:\/\/[^\s()<>[\]\\"'@]+[=/])$/
const behind = /^(?:$|[\s,.!?;:)*_]|&[\w=&]*\))/
/** What would be a number of a list, were the value one. */
const counts = new RegExp(`^[\\t >*+.)\\d-]*(?:${standIn})+\\d*[.)](?:\\s|$)`, 'm')

/** What stands around the values in a mail's HTML and in its text. */
type Frame = Readonly<Record<'html' | 'text', readonly string[]>>

/** Frames that are kept; a template with many conditions has more. */
const most = 200

/** Renders bodies of one template as `renderBody` does: what they have in common is read once. */
export function createBodyRenderer(): (parts: TextParts) => Promise<Pick<Body, 'html' | 'text'>> {
  const frames = new Map<string, Frame | undefined>()
  return async ({ around, values }) => {
    const frame = values.every(isPlain) ? await frameOf(around) : undefined
    if (frame === undefined) return renderBody(joined(around, values.map(inMarkdown)).trim())
    return { html: joined(frame.html, values.map(escaped)), text: joined(frame.text, values) }
  }

  async function frameOf(around: readonly string[]): Promise<Frame | undefined> {
    const source = around.join(standIn).trim()
    if (frames.has(source)) return frames.get(source)
    const frame = await readFrame(source, around)
    if (frames.size < most) frames.set(source, frame)
    return frame
  }
}

/** Nothing where a value may make a difference. */
async function readFrame(source: string, around: readonly string[]): Promise<Frame | undefined> {
  const isBetweenWords =
    around.slice(0, -1).every((text) => before.test(text)) && around.slice(1).every((text) => behind.test(text))
  if (!isBetweenWords || counts.test(source)) return undefined
  const { html, text, links } = await renderBody(source)
  // A link says where it leads where its text does not.
  if (links.some((link) => link.text.includes(standIn))) return undefined
  const frame = { html: html.split(standIn), text: text.split(standIn) }
  return Object.values(frame).every(({ length }) => length === around.length) ? frame : undefined
}
