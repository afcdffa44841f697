// A locale comes from strangers: a host's context, a browser started with `LANG=C.UTF-8` (Chromium then says
// `en-US@posix`), a setting. `Intl` throws at what is no BCP 47 tag, so nothing is handed to it that did not pass here.

/** A BCP 47 tag for what is one or nearly one (`de_AT.UTF-8`, `en-US@posix`); nothing where it says no language. */
export const validLocale = (given: unknown): string | undefined => {
  if (typeof given !== 'string') return undefined
  const tag = given.trim().split(/[.@]/, 1)[0]?.replaceAll('_', '-') ?? ''
  try {
    return /^(?:c|posix|und|root)$/i.test(tag) ? undefined : Intl.getCanonicalLocales(tag)[0]
  } catch {
    return undefined
  }
}

/** The first of these that is one; English where none is. */
export const readerLocale = (...given: readonly unknown[]): string =>
  given.map(validLocale).find((tag) => tag !== undefined) ?? 'en'
