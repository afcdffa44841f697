/** Puts values where a sentence has `{0}` and `{1}`. */
export const fill = (sentence: string, ...values: readonly string[]): string =>
  sentence.replace(/\{(\d)\}/g, (_, index: string) => values[Number(index)] ?? '')
