/** Waits for the work, unless whoever waits leaves first: then `undefined`, and the work goes on for the others. */
export async function waitUnlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  const { promise: left, resolve } = Promise.withResolvers<undefined>()
  const leave = (): void => resolve(undefined)
  if (signal.aborted) leave()
  signal.addEventListener('abort', leave, { once: true })
  try {
    return await Promise.race([work, left])
  } finally {
    signal.removeEventListener('abort', leave)
  }
}
