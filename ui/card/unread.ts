// "Where did it say so?" "In the part that was folded." What will be applied must have been in front of the person's
// eyes: long values opened, long code scrolled to its end. Pieces mark such places with `data-read`; this counts those
// that nobody has seen yet.
import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'

const isSeen = (place: Element): boolean =>
  place instanceof HTMLDetailsElement
    ? place.open
    : place.scrollTop + place.clientHeight >= place.scrollHeight - 8 || place.clientHeight === 0

/** True while something inside has not been opened or scrolled through. What was seen once stays seen. */
export const useUnread = (inside: RefObject<HTMLElement | null>): boolean => {
  const [unread, setUnread] = useState(false)
  const look = (): void => {
    let left = 0
    for (const place of inside.current?.querySelectorAll('[data-read]') ?? []) {
      if (isSeen(place)) place.removeAttribute('data-read')
      // What few will ask for, and what stays as it is, may stay folded.
      else if (!place.parentElement?.closest('details:not([data-read]):not([open]):not(.long)')) left++
    }
    setUnread(left > 0)
  }
  useLayoutEffect(look)
  useEffect(() => {
    const { current } = inside
    for (const sign of ['toggle', 'scroll'] as const) current?.addEventListener(sign, look, true)
    return () => {
      for (const sign of ['toggle', 'scroll'] as const) current?.removeEventListener(sign, look, true)
    }
  }, [])
  return unread
}
