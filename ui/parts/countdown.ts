import { useEffect, useReducer } from 'preact/hooks'

/** Draws again every so many milliseconds, and answers the present. */
export const useNow = (now: () => number, every = 1_000): number => {
  const [, draw] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    const timer = setInterval(() => draw(undefined), every)
    return () => clearInterval(timer)
  }, [every])
  return now()
}

/** Milliseconds that are left, as a clock: `14:32`, `2:05:09`; `0:00` once they are over. */
export const clock = (ms: number): string => {
  const seconds = Math.max(0, Math.ceil(ms / 1_000))
  const two = (part: number): string => String(part).padStart(2, '0')
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`
}

/** Milliseconds that are over, as a clock. */
export const elapsed = (ms: number): string => clock(Math.floor(ms / 1_000) * 1_000)
