import { useEffect } from 'preact/hooks'

/**
 * Closes what is open on Escape and on a press outside of it. What opens it (`aria-controls` of this id) is not outside: it
 * closes by itself. On Escape the keyboard goes back to where it was.
 */
export function useDismiss(id: string, close: () => void): void {
  useEffect(() => {
    const opener = document.activeElement
    const isInside = (target: EventTarget | null): boolean =>
      target instanceof Element && target.closest(`[id="${id}"], [aria-controls="${id}"]`) !== null
    const pressed = ({ target }: Event) => {
      if (!isInside(target)) close()
    }
    const keyed = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return
      close()
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
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
