// Names of tools and arguments as words, in whatever way they are joined.

/** `deleteRepo`, `delete-repo`, `repo.delete` and `GitHub_DELETE` as lower-case words. */
export const wordsOf = (name: string): readonly string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/(?<![A-Z])([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part !== '')

/** Without the ending of a plural. */
export const singular = (word: string): string => word.replace(/(?<!s)s$/, '')

/** Whether what follows is a second action: `find_and_replace`. */
export const isJoint = (word: string | undefined): boolean => word === 'and' || word === 'or' || word === 'then'

/** The word itself, and without the ending of the third person. */
export const baseForms = (word: string): readonly string[] => [
  word,
  ...(word.endsWith('ies') ? [`${word.slice(0, -3)}y`] : []),
  ...(word.endsWith('es') ? [word.slice(0, -2)] : []),
  ...(word.endsWith('s') ? [word.slice(0, -1)] : []),
]
