// Something that jumps under a pointer must not be signed by it: Confirm comes alive only after it has been in sight for
// a moment. Browsers tell when that is; where one does not (a frame inside a frame inside a web view), a pointer or a
// focus that has been here for the same moment proves as much. Either way a person can always get there.
import { type RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'

const MOMENT = 400
const signs = ['pointermove', 'pointerdown', 'focusin'] as const

/** True once the element has been in sight for a moment. */
export const useArmed = (element: RefObject<HTMLElement | null>): boolean => {
  const [armed, setArmed] = useState(false)
  useEffect(() => {
    const target = element.current
    if (armed || !target) return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const start = (): void => {
      timer ??= setTimeout(() => setArmed(true), MOMENT)
    }
    const observer = new IntersectionObserver((entries) => {
      // Several may arrive at once; the last one is how it is now.
      if (entries.at(-1)?.isIntersecting) return start()
      clearTimeout(timer)
      timer = undefined
    })
    observer.observe(target)
    for (const sign of signs) document.addEventListener(sign, start)
    return () => {
      clearTimeout(timer)
      observer.disconnect()
      for (const sign of signs) document.removeEventListener(sign, start)
    }
  }, [armed])
  return armed
}
