import { useCallback, useRef, useState } from 'preact/hooks'

/** Of the phone frame. */
export const phoneWidth = 340
const columnMax = 640
const columnPadding = 48

/** How wide a card may be, in steps, so that dragging a window does not send a message for every pixel. */
export function useWidth(): [number, (element: HTMLElement | null) => void] {
  const [width, setWidth] = useState(columnMax)
  const observer = useRef<ResizeObserver | undefined>(undefined)
  const attach = useCallback((element: HTMLElement | null) => {
    observer.current?.disconnect()
    if (element === null) return
    observer.current = new ResizeObserver(() => {
      // A pane that is not shown has no width, and its cards need not hear of that.
      if (element.clientWidth === 0) return
      const free = Math.min(columnMax, element.clientWidth - columnPadding)
      setWidth(Math.max(240, Math.round(free / 20) * 20))
    })
    observer.current.observe(element)
  }, [])
  return [width, attach]
}
