// Tables of Markdown, in which a lexer leaves out cells, or fills rows up, where their author has miscounted.
import type { Tokens } from 'marked'
import type { InnerBlock } from '../model/card.ts'
import { cardLimits } from './limits.ts'
import { isAltered, plainText } from './markdown-sentences.ts'

/** What a sentence that was not read is among the lexer's tokens. */
export const unread = 'unread'

/** Cells that the lexer may make of lines: it fills each row up to the heads. */
const mostFilled = 40_000

/** Whether a table has more columns than a card, or so many rows that filling them up to its heads would take long. */
export function isTooWide(source: string): boolean {
  const lines = source.split('\n')
  return lines.some((line) => {
    const columns = /^[-|:> \t]+$/.test(line) ? line.split('|').length : 0
    return columns > cardLimits.columns + 2 || columns * lines.length > mostFilled
  })
}

/** Nothing where a row has more cells than there are heads, which would be left out: then it is shown as it is written. */
export function tableOf(token: Tokens.Table): InnerBlock | undefined {
  const { raw, header, rows, align } = token
  const all = [header, ...rows]
  const heads = header.map(({ tokens }) => plainText(tokens))
  const isWhole = essence(all.flat().map(({ text }) => text)) === essence([raw]) && !hasMoreCells(raw, header.length)
  const fits = header.length <= cardLimits.columns && rows.length <= cardLimits.rows
  if (!isWhole || !fits || heads.some(isAltered) || header.some(isUnread)) return undefined
  return {
    kind: 'table',
    label: '',
    columns: heads.map((label, at) => ({ label, ...(align[at] === 'right' ? { align: 'end' as const } : {}) })),
    rows: rows.map((cells) => cells.map(valueOf)),
  }
}

const isUnread = ({ tokens }: Tokens.TableCell): boolean => tokens[0]?.type === unread

function valueOf(cell: Tokens.TableCell): { readonly kind: 'text' | 'code'; readonly text: string } {
  const text = plainText(cell.tokens)
  return { kind: isUnread(cell) || isAltered(text) ? 'code' : 'text', text }
}

/** Whether a row has a cell, of whatever characters, for which there is no head. */
const hasMoreCells = (raw: string, heads: number): boolean =>
  raw.split('\n').some((line, at) => {
    if (at < 2) return false
    const cells = line.replace(/\\\|/g, '').split('|')
    if (cells[0]?.trim() === '') cells.shift()
    return cells.slice(heads).some((cell) => cell.trim() !== '')
  })

/** All but blanks and what tables are drawn with. */
const essence = (texts: readonly string[]): string => texts.join('').replace(/[ \t\n|:\\-]/g, '')
