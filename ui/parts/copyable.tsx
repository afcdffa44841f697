// A frame may not write to the clipboard unless its host allows it, and the text that must reach the chat is worth three
// ways: the old copy command, the clipboard, and in the end a selected text with the keys to press.
import type { VNode } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { Reader } from './reader.ts'

const byCommand = (text: string): boolean => {
  const area = document.createElement('textarea')
  area.value = text
  area.readOnly = true
  area.style.cssText = 'position:fixed;opacity:0'
  document.body.append(area)
  area.select()
  try {
    return document.execCommand('copy')
  } catch {
    return false
  } finally {
    area.remove()
  }
}

/** Copies a text by the means that the frame has; false when none worked. */
export const copyText = async (text: string): Promise<boolean> => {
  // The command first: it needs no permission, and asking for one that a frame lacks is reported as a violation.
  if (byCommand(text)) return true
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

/** A text to take along by hand, selected when it appears because nothing else worked. */
export const Copyable = ({
  text,
  label,
  selected,
  reader,
}: {
  readonly text: string
  readonly label: string
  readonly selected: boolean
  readonly reader: Reader
}): VNode => {
  const area = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (!selected) return
    area.current?.focus()
    area.current?.select()
  }, [selected, text])
  return (
    <label class="copyable">
      <span>{selected ? reader.words.$pressToCopy : label}</span>
      <textarea ref={area} dir="ltr" readOnly rows={3} value={text} onFocus={(event) => event.currentTarget.select()} />
    </label>
  )
}
