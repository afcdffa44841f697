import { useLayoutEffect, useRef } from 'preact/hooks'

/**
 * Keeps the end in sight, with the buttons of the newest card, while things grow or the room for them shrinks; unless the
 * person has scrolled up to read. Nothing glides: whoever wants less motion gets the same.
 */
export function useStickToEnd(
  scroller: { readonly current: HTMLElement | null },
  content: { readonly current: HTMLElement | null },
  /** When this changes, the end is gone to in any case. `undefined`: what is there is read from its top. */
  jump: string | number | undefined,
): void {
  const stuck = useRef(jump !== undefined)
  const toEnd = () => scroller.current?.scrollTo({ top: scroller.current.scrollHeight })
  useLayoutEffect(() => {
    const [outer, inner] = [scroller.current, content.current]
    if (outer === null || inner === null) return undefined
    let before = outer.scrollTop
    let height = outer.scrollHeight
    const scrolled = () => {
      const isAtEnd = outer.scrollHeight - outer.scrollTop - outer.clientHeight < 60
      // What has grown since the end was gone to is told of later than the scrolling, so only the way up is the person's; and a
      // card that becomes shorter leads up as well, so only while the height stays.
      if (isAtEnd) stuck.current = true
      else if (outer.scrollTop < before && outer.scrollHeight === height) stuck.current = false
      before = outer.scrollTop
      height = outer.scrollHeight
    }
    const sized = new ResizeObserver(() => {
      if (stuck.current) toEnd()
      height = outer.scrollHeight
    })
    outer.addEventListener('scroll', scrolled, { passive: true })
    sized.observe(inner)
    sized.observe(outer)
    return () => {
      outer.removeEventListener('scroll', scrolled)
      sized.disconnect()
    }
  }, [])
  useLayoutEffect(() => {
    stuck.current = jump !== undefined
    if (stuck.current) toEnd()
    else scroller.current?.scrollTo({ top: 0 })
  }, [jump])
}
