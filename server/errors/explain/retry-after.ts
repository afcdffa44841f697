// How long a server asks to wait. Only what it says counts, and not without end: an agent that sleeps a year is as good as
// stopped, and a server behind must not be able to stop it.

/** In seconds; who asks for more is told to the person. */
export const longestWait = 3600

export interface Wait {
  readonly seconds: number
  /** The server asked for more than that. */
  readonly isCut: boolean
}

/** In seconds: a number from here on is a point in time. */
const firstPointInTime = 1e9

/** A wait within the limit; nothing where there is no such number. */
export function waitOf(seconds: number | undefined): Wait | undefined {
  if (seconds === undefined || !(seconds >= 0 && seconds < firstPointInTime)) return undefined
  return seconds > longestWait
    ? { seconds: longestWait, isCut: true }
    : { seconds: Math.max(1, Math.ceil(seconds)), isCut: false }
}

const inSeconds: Readonly<Record<string, number>> = { m: 0.001, s: 1, min: 60, h: 3600, d: 86_400 }

/** A number with its unit, or the value of `Retry-After`, which counts seconds (RFC 9110, section 10.2.3). */
const asked =
  /\b(?:(?:retry[ _-]?after|try again (?:in|after)|retry in|wait(?: for)?|available (?:again )?in|resets? in)["']?(?: header)?[ :=]{1,3}["']?(?:about |at least |approximately )?(?<number>\d{1,9}(?:\.\d{1,6})?) ?(?<unit>milliseconds?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d)\b|retry[ _-]?after["']?(?: header)? ?[:=] ?["']?(?<value>\d{1,9})["']?(?=$|[\s,;)}\]]|\.(?:\s|$))(?! ?[\w:-]))/i

/** The wait that a text asks for, in seconds: "Please try again in 20s". Without a unit a number may count anything. */
export function waitInText(text: string): number | undefined {
  const { number, unit, value } = asked.exec(text)?.groups ?? {}
  if (number === undefined || unit === undefined) return value === undefined ? undefined : Number(value)
  const small = unit.toLowerCase()
  const name = /^(?:ms|milli)/.test(small) ? 'm' : small.startsWith('m') ? 'min' : small.charAt(0)
  return Number(number) * (inSeconds[name] ?? 1)
}

/** A duration as `google.protobuf.Duration` is written in JSON: "30s", "1.5s". */
export function secondsOf(duration: string): number | undefined {
  const found = /^(\d{1,9}(?:\.\d{1,9})?)s$/.exec(duration)
  return found === null ? undefined : Number(found[1])
}
