// Answers for what does not exist, or not for this caller: the two look alike.
import type { FailureSpec, ToolContext, ToolFailed } from '../../tools/contract.ts'
import type { FileWords } from './words.ts'

const afterChange = (guidance: string): FailureSpec => ({ effect: 'none', guidance, retryable: 'after_change' })

/** Failures that several tools share, word for word. */
export const failures = {
  unknown_file: afterChange('Look the file up with files_list or files_search and use its id exactly.'),
  unknown_link: afterChange('Look the link up with files_list_download_links and use its id exactly.'),
  unreadable_content: {
    effect: 'none',
    guidance:
      'Tell the person that the stored content is lost or changed; an operator must look, or the file is uploaded again.',
    retryable: 'no',
  },
} as const satisfies Record<string, FailureSpec>

const shown = (written: string): string => (written.length > 60 ? `${written.slice(0, 60)}…` : written)

export const unknownFile = (ctx: ToolContext<'unknown_file'>, id: string): ToolFailed =>
  ctx.fail('unknown_file', `File ${shown(id)} does not exist.`, {
    fields: [{ pointer: '/fileId', received: id, allowed: 'an id that files_list answers' }],
    suggest: { tool: 'files_list', arguments: {}, why: 'It lists the newest files with their ids' },
  })

export const unknownLink = (ctx: ToolContext<'unknown_link'>, id: string): ToolFailed =>
  ctx.fail('unknown_link', `Download link ${shown(id)} does not exist, or works no more.`, {
    fields: [{ pointer: '/linkId', received: id, allowed: 'an id that files_list_download_links answers' }],
    suggest: { tool: 'files_list_download_links', arguments: {}, why: 'It lists the links that work' },
  })

/** What stands in the way where a stored content is not what was uploaded. */
export const unreadable = (why: 'gone' | 'changed', { unreadable: says }: FileWords) => ({
  code: 'unreadable_content' as const,
  title: says[why],
  text: says.text,
})
