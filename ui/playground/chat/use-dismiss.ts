import { useEffect } from 'preact/hooks'

/**
 * Closes what is open on Escape and on a press outside of it. What opened it (`aria-controls` of this id) is not outside:
 * it closes by itself, and gets the keyboard back.
 */
export function useDismiss(id: string, close: () => void): void {
  useEffect(() => {
    const opener = () => document.querySelector<HTMLElement>(`[aria-controls="${id}"]`)
    const pressed = ({ target }: Event) => {
      if (target instanceof Node && !document.getElementById(id)?.contains(target) && !opener()?.contains(target))
        close()
    }
    const keyed = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return
      close()
      opener()?.focus()
    }
    // A press into a card's frame is not heard here, but it takes the focus from this window.
    const left = () => document.activeElement instanceof HTMLIFrameElement && close()
    addEventListener('pointerdown', pressed)
    addEventListener('keydown', keyed)
    addEventListener('blur', left)
    return () => {
      removeEventListener('pointerdown', pressed)
      removeEventListener('keydown', keyed)
      removeEventListener('blur', left)
    }
  }, [id, close])
}
