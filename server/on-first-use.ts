/**
 * Loads what is expensive when it is first needed, and once. A load that failed is tried again by whoever needs it next:
 * for a moment there may be no free file descriptor, or a package that is being upgraded.
 */
export function onFirstUse<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined
  return () =>
    (loaded ??= load().catch((error: unknown) => {
      loaded = undefined
      throw error
    }))
}
