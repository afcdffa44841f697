// How long a server asks to wait. Only what it says counts, and not without end: an agent that sleeps a year is as good as
// stopped, and a server behind must not be able to stop it.

/** In seconds; who asks for more is told to the person. */
export const longestWait = 3600

export interface Wait {
  readonly seconds: number
  /** The server asked for more than that. */
  readonly isCut: boolean
}

/** A wait within the limit; nothing where there is no such number. */
export function waitOf(seconds: number | undefined): Wait | undefined {
  if (seconds === undefined || !Number.isFinite(seconds) || seconds < 0) return undefined
  return seconds > longestWait
    ? { seconds: longestWait, isCut: true }
    : { seconds: Math.max(1, Math.ceil(seconds)), isCut: false }
}

const inSeconds: Readonly<Record<string, number>> = { m: 0.001, s: 1, min: 60, h: 3600, d: 86_400 }

const asked =
  /\b(?:retry[ _-]?after|try again (?:in|after)|retry (?:in|after)|wait(?: for)?|available (?:again )?in|resets? in)["']?(?: header)?[ :=]{0,3}["']?(?:about |at least |approximately )?(\d{1,9}(?:\.\d{1,6})?) ?(milliseconds?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d)?\b/i

/** The wait that a sentence asks for: "Please try again in 20s". A number without a unit counts seconds. */
export function waitInText(text: string): number | undefined {
  const found = asked.exec(text)
  if (found === null) return undefined
  const unit = (found[2] ?? 's').toLowerCase()
  const name = /^(?:ms|milli)/.test(unit) ? 'm' : unit.startsWith('m') ? 'min' : (unit[0] ?? 's')
  return Number(found[1]) * (inSeconds[name] ?? 1)
}

/** A duration as `google.protobuf.Duration` is written in JSON: "30s", "1.5s". */
export function secondsOf(duration: string): number | undefined {
  const found = /^(\d{1,9}(?:\.\d{1,9})?)s$/.exec(duration)
  return found === null ? undefined : Number(found[1])
}
