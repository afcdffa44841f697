// The blocks of code of the documentation, with the mark that stands before each: `<!-- file: tools.ts -->` names the file that a
// reader writes, `<!-- test: … -->` what a test takes it for.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Token, Tokens } from 'marked'
import { blocksOf } from '../../../server/compose/docs.ts'
import { root } from './installed.ts'

export interface CodeBlock {
  readonly page: string
  readonly language: string
  /** "file" and "tools.ts". */
  readonly mark: readonly [kind: string, name: string] | undefined
  readonly text: string
}

const isCode = (token: Token): token is Tokens.Code => token.type === 'code'

function within(tokens: readonly Token[], page: string): readonly CodeBlock[] {
  return tokens.flatMap((token, at) => {
    if (isCode(token)) {
      const before = tokens.slice(0, at).findLast(({ type }) => type !== 'space')
      const [, kind = '', name = ''] = /^<!-- (file|test): (\S+) -->/.exec(before?.raw ?? '') ?? []
      const mark = kind === '' ? undefined : ([kind, name] as const)
      return [{ page, language: token.lang ?? '', mark, text: token.text }]
    }
    const inner = token.type === 'list' ? (token as Tokens.List).items : 'tokens' in token ? (token.tokens ?? []) : []
    return within(inner, page)
  })
}

/** All of them, page by page. */
export async function codeBlocks(): Promise<readonly CodeBlock[]> {
  const pages = globSync('{*.md,docs/*.md,docs/{guides,recipes,examples,adr}/*.md}', { cwd: root }).toSorted()
  const found = await Promise.all(
    pages.map(async (page) => within(await blocksOf(readFileSync(join(root, page), 'utf8')), page)),
  )
  return found.flat()
}
