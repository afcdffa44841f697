// The same rows as a file. A link, so that its address can be copied into a script; fetched by the page, because a fresh
// installation's credential is in no cookie.
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { address } from '../client.ts'
import type { AppProps } from '../context.ts'

type Query = Readonly<Record<string, string>>

const formats = [
  ['csv', 'Export CSV'],
  ['json', 'Export JSON'],
] as const

export const ExportLinks = ({ app, query }: AppProps<{ query: Query }>): VNode => {
  const [busy, setBusy] = useState<string | undefined>(undefined)
  const save = async (format: string): Promise<void> => {
    setBusy(format)
    const response = await app.fetch('/activity/export', { ...query, format })
    if (response?.ok === true) download(await response.blob(), `activity.${format}`)
    else app.say('The export could not be made. Try again, or use `countersign activity export`.', 'danger')
    setBusy(undefined)
  }
  return (
    <>
      {formats.map(([format, words]) => (
        <a
          class="button small"
          href={address('/activity/export', { ...query, format })}
          download={`activity.${format}`}
          aria-disabled={busy !== undefined}
          onClick={(event) => {
            event.preventDefault()
            if (busy === undefined) void save(format)
          }}
        >
          {busy === format ? 'Exporting…' : words}
        </a>
      ))}
    </>
  )
}

const download = (blob: Blob, name: string): void => {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser has begun to read it by the next minute.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
