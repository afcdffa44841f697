import { useLayoutEffect, useRef } from 'preact/hooks'

/** Keeps the end in sight while things grow, unless the person has scrolled up to read. */
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
    const scrolled = () => (stuck.current = outer.scrollHeight - outer.scrollTop - outer.clientHeight < 60)
    const grown = new ResizeObserver(() => stuck.current && toEnd())
    outer.addEventListener('scroll', scrolled, { passive: true })
    grown.observe(inner)
    return () => {
      outer.removeEventListener('scroll', scrolled)
      grown.disconnect()
    }
  }, [])
  useLayoutEffect(() => {
    stuck.current = jump !== undefined
    if (stuck.current) toEnd()
  }, [jump])
}
