// Somebody who decides forty times a day does not want to reach for the mouse. Keys without a modifier can be switched
// off, because voice control types them by accident (WCAG 2.2, 2.1.4), never fire while somebody writes, and none of
// them decides anything: the nearest they come is to put the focus on a button.
import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { pages } from './pages.tsx'
import { to } from './route.ts'

const kept = 'countersign.admin.shortcuts'

/** What else the keys do; `?` shows it. */
const keys: readonly (readonly [keys: readonly string[], does: string])[] = [
  [['j'], 'Next row of a list'],
  [['k'], 'Previous row of a list'],
  [['Enter'], 'Open the row'],
  [['u'], 'Back to the list'],
  [['/'], 'To the filters'],
  [['a'], 'On an approval: to the decision'],
  [['?'], 'This list'],
]

const isWriting = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

/** Rows are whatever a page marks with `data-row`: a link that opens it. */
const step = (by: 1 | -1): void => {
  const rows = [...document.querySelectorAll<HTMLElement>('#page [data-row], #page table.rows tbody th a')]
  const at = rows.indexOf(document.activeElement as HTMLElement)
  const next = rows[at < 0 ? (by === 1 ? 0 : rows.length - 1) : at + by]
  next?.focus()
}

const focus = (selector: string): boolean => {
  const found = document.querySelector<HTMLElement>(selector)
  found?.focus()
  return found !== null
}

const act = (key: string): boolean => {
  switch (key) {
    case 'j':
      step(1)
      return true
    case 'k':
      step(-1)
      return true
    case '/':
      return focus('#page .filters input, #page .filters select')
    case 'a':
      return focus('#page [data-holds-decision] button, #page .decision input')
    case 'u':
      document.querySelector<HTMLAnchorElement>('#page a.back')?.click()
      return true
    default:
      return false
  }
}

/** Listens for keys; answers whether the list of them is open. */
export const useShortcuts = (go: (address: string) => void): { open: boolean; show: (open: boolean) => void } => {
  const [open, show] = useState(false)
  useEffect(() => {
    let led = 0
    const press = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target)) return
      if (document.querySelector('dialog[open]') !== null || localStorage.getItem(kept) === 'off') return
      const { key } = event
      const page = Date.now() - led < 1_500 ? pages.find((page) => page.key === key) : undefined
      led = key === 'g' ? Date.now() : 0
      if (page !== undefined) go(to(page.name))
      else if (key === '?') show(true)
      else if (!act(key)) return
      event.preventDefault()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [go])
  return { open, show }
}

export const ShortcutList = ({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }): VNode => {
  const dialog = useRef<HTMLDialogElement>(null)
  const [on, turn] = useState(localStorage.getItem(kept) !== 'off')
  useEffect(() => {
    if (open && dialog.current?.open === false) dialog.current.showModal()
    if (!open) dialog.current?.close()
  }, [open])
  return (
    <dialog ref={dialog} class="sheet" aria-labelledby="keys-title" onClose={onClose}>
      <header>
        <h2 id="keys-title">Keys</h2>
      </header>
      <div class="sheet-body">
        <dl class="keys">
          {pages.map((page) => (
            <div>
              <dt>
                <kbd>g</kbd> <kbd>{page.key}</kbd>
              </dt>
              <dd>{page.label}</dd>
            </div>
          ))}
          {keys.map(([names, does]) => (
            <div>
              <dt>
                {names.map((name) => (
                  <kbd>{name}</kbd>
                ))}
              </dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
        <label class="check">
          <input
            type="checkbox"
            checked={on}
            onChange={(event) => {
              const { checked } = event.currentTarget
              localStorage.setItem(kept, checked ? 'on' : 'off')
              turn(checked)
            }}
          />
          <span>Use these keys</span>
        </label>
      </div>
      <footer>
        <button type="button" onClick={onClose}>
          Close
        </button>
      </footer>
    </dialog>
  )
}
