// The beginning of a list that is longer than a card, and the way on: the next rows when they are asked for, and one row
// in full. Where nobody can be asked, how many more there are and which tool lists them. None of it has to be read before
// Confirm: how many there are is what is signed.
import type { ComponentChildren, VNode } from 'preact'
import { useState } from 'preact/hooks'
import { Button } from './buttons.tsx'
import { formatNumber } from './format.ts'
import { Grid } from './lines.tsx'
import { Prose } from './marked.tsx'
import { withNextPage } from './next-page.ts'
import type { ListRow, Reader } from './reader.ts'

interface PagesBlock {
  readonly list: string
  readonly label: string
  readonly total: number
  readonly columns: readonly { readonly label: string; readonly align?: 'start' | 'end' }[]
  readonly rows: readonly ListRow[]
  readonly next?: string
  readonly opens?: true
  readonly rest?: string
}

interface PagesProps {
  readonly block: PagesBlock
  readonly reader: Reader
  /** Draws a row in full: the blocks of which it consists. */
  readonly draw: (blocks: readonly unknown[]) => ComponentChildren
}

export const Pages = ({ block, reader, draw }: PagesProps): VNode => {
  const { list, label, total, columns, opens, rest } = block
  const { readList, words } = reader
  const [{ rows, next }, read] = useState<Pick<PagesBlock, 'rows' | 'next'>>(block)
  /** Before the words of the button: that it is asked, or that nothing came of it. */
  const [said, say] = useState('')
  const [opened, open] = useState<{ readonly key: string; readonly shown: ComponentChildren }>()
  const left = total - rows.length
  const more = async (after: string): Promise<void> => {
    say('… ')
    const page = await readList?.(list, { after })
    const fits = page?.rows?.every(({ cells }) => cells.length === columns.length)
    say(fits ? '' : `${words.$noAnswer}. `)
    if (page?.rows && fits) read({ ...page, rows: withNextPage(rows, page.rows) })
  }
  const press = async (key: string): Promise<void> => {
    if (opened?.key === key) return open(undefined)
    open({ key, shown: '…' })
    const found = await readList?.(list, { key })
    const shown = found?.blocks ? draw(found.blocks) : found ? words.$none : words.$noAnswer
    // Another one may have been opened since, or none.
    open((now) => (now?.key === key ? { key, shown } : now))
  }
  return (
    <div class="pages">
      <Grid
        label={`${label}: ${formatNumber(String(total), reader)}`}
        columns={columns}
        rows={rows.map((of) => ({
          of,
          cells: of.cells,
          opens: opens && readList && { on: opened?.key === of.key, press: () => void press(of.key) },
        }))}
        beyond={left}
        reader={reader}
      />
      {readList
        ? next && (
            <Button tone="plain" onPress={() => void more(next)}>
              {said}
              {words.$showMore}
            </Button>
          )
        : rest &&
          left > 0 && (
            <p class="unset left">
              <Prose text={rest} reader={reader} />
            </p>
          )}
      {opened && (
        <section class="opened" role="status">
          {opened.shown}
        </section>
      )}
    </div>
  )
}
