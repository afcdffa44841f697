// "Where did it say so?" "In the part that was folded." What will be applied must have been in front of the person's
// eyes: long values opened, long code scrolled to its end, each row of a long table in sight. Pieces mark such places
// with `data-read`; this counts those that nobody has seen yet.
import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

const isSeen = (place: Element): boolean =>
  place instanceof HTMLDetailsElement
    ? place.open
    : // A table says itself when all of it was shown; what has no height is not in sight yet.
      place.tagName === 'PRE' &&
      place.clientHeight > 0 &&
      place.scrollTop + place.clientHeight >= place.scrollHeight - 8

/** What is wider than the sheet against all expectation is read when it was scrolled to its end, in either direction. */
const isCutOff = ({ scrollLeft, clientWidth, scrollWidth }: HTMLElement): boolean =>
  Math.abs(scrollLeft) + clientWidth < scrollWidth - 8

/** True while something inside has not been opened or scrolled through. What was seen once stays seen. */
export const useUnread = (inside: RefObject<HTMLElement | null>): boolean => {
  const [unread, setUnread] = useState(false)
  const reached = useRef(false)
  const look = (): void => {
    let left = 0
    if (inside.current && inside.current.clientWidth > 0) {
      const cutOff = isCutOff(inside.current)
      if (cutOff && !reached.current) left++
      else if (inside.current.scrollLeft !== 0) reached.current = true
    }
    for (const place of inside.current?.querySelectorAll('[data-read]') ?? []) {
      if (isSeen(place)) place.removeAttribute('data-read')
      // What few will ask for, what stays as it is, and what a longer list holds may stay unread.
      else if (!place.parentElement?.closest('details:not([open],[class]),.pages')) left++
    }
    setUnread(left > 0)
  }
  useLayoutEffect(look)
  useEffect(() => {
    const { current } = inside
    if (!current) return
    // Pages turn and folds open without anything else being drawn; a frame that was hidden gets its size later. All of
    // it ends with the element.
    new MutationObserver(look).observe(current, { subtree: true, childList: true, attributes: true })
    new ResizeObserver(look).observe(current)
    current.addEventListener('scroll', look, true)
  }, [])
  return unread
}
