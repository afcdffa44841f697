// What a secret of this machine may be called: one rule where it is kept and where a settings file names it.

/**
 * Whether a text can be the name of a secret. What every object has (`constructor`, `__proto__`) is none: it would be found
 * where nobody has kept it, or lost where somebody has.
 */
export const isSecretName = (text: string): boolean =>
  /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,120}$/.test(text) && !(text in Object.prototype)

/** The rule in words, for what is to be done next. */
export const secretNameWords =
  'letters, digits, _ . and -, at most 121, beginning with one of the first three; no name that every object has, like "constructor"'
