// Something that jumps under a pointer must not be signed by it: Confirm comes alive only after it has been in sight for
// a moment, and only as long as it is. Browsers tell when that is; where one has not said a word (a frame inside a frame
// inside a web view), a pointer or a focus that has been here for the same moment proves as much.
import { type RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'

const MOMENT = 400
const signs = ['pointermove', 'pointerdown', 'focusin'] as const

/** True once the element has been in sight for a moment, until it is out of sight; anew where what it holds is another thing. */
export const useArmed = (element: RefObject<HTMLElement | null>, held?: unknown): boolean => {
  const [armed, setArmed] = useState(false)
  useEffect(() => {
    const target = element.current
    if (!target) return undefined
    let reported = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const start = (): void => {
      timer ??= setTimeout(() => setArmed(true), MOMENT)
    }
    const stop = (): void => {
      clearTimeout(timer)
      timer = undefined
    }
    const signal = (): void => {
      if (!reported) start()
    }
    const observer = new IntersectionObserver((entries) => {
      reported = true
      // Several may arrive at once; the last one is how it is now.
      if (entries.at(-1)?.isIntersecting) return start()
      stop()
      setArmed(false)
    })
    observer.observe(target)
    for (const sign of signs) document.addEventListener(sign, signal)
    return () => {
      setArmed(false)
      stop()
      observer.disconnect()
      for (const sign of signs) document.removeEventListener(sign, signal)
    }
  }, [held])
  return armed
}
