// How long the parts of a host are waited for, and how a journey says that it broke.

/** What went wrong, as the table shows it. */
export class Broken extends Error {}

/** How long a view may take for anything. */
export const longestMs = 30_000

/** Waits until something is so, asked again after so many milliseconds, or breaks the journey. */
export async function until(done: () => Promise<boolean>, message: () => string, everyMs = 20): Promise<void> {
  const end = Date.now() + longestMs
  while (!(await done())) {
    if (Date.now() > end) throw new Broken(message())
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
}

/** The work's result, or an error with this message where it takes too long. */
export async function inTime<T>(work: Promise<T>, ms: number, message: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Broken(message)), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
    // Where it came too late, its end is nobody's concern.
    work.catch(() => undefined)
  }
}
