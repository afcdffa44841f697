// What a command was asked to print goes to stdout, at the pace of whoever reads it, and stops without a stack trace
// where they have seen enough (`| head`).
/** Ends quietly: the reader of stdout is gone. */
export class ReaderGone extends Error {}

let gone = false
const leaving = new Promise<void>((resolve) => {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    gone = true
    resolve()
  })
})

/** Writes to stdout and waits where the reader is slow. */
export async function print(text: string): Promise<void> {
  if (gone) throw new ReaderGone('stdout was closed')
  if (process.stdout.write(text)) return
  await Promise.race([new Promise<void>((resolve) => process.stdout.once('drain', resolve)), leaving])
}

/** Rows as aligned columns. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, at) => cell.padEnd(widths[at] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('')
}
