/**
 * What may stand in a place, as far as a schema says it in a way that more than one language has words for
 * (`server/cards/limit-words.ts`).
 */
export type Limit =
  /** A kind of value, as JSON Schema or Zod names it. */
  | { readonly is: 'type'; readonly type: string }
  | { readonly is: 'given' }
  | { readonly is: 'oneOf'; readonly values: readonly string[] }
  | { readonly is: 'number'; readonly bound: 'least' | 'most' | 'above' | 'below'; readonly limit: number | bigint }
  /** A text by its characters, a list by its items. */
  | { readonly is: 'text' | 'list'; readonly bound: 'least' | 'most'; readonly limit: number }
  | { readonly is: 'multiple'; readonly of: number | bigint }
  /** `pattern`: the regular expression behind it, where the name alone says too little. */
  | { readonly is: 'format'; readonly format: string; readonly pattern?: string | undefined }
  /** How many bytes of JSON all arguments together have at most. */
  | { readonly is: 'bytes'; readonly most: number }
  /** An integer that JavaScript does not round. */
  | { readonly is: 'safeInteger' }
  /** A decimal number as a person types it. */
  | { readonly is: 'digits' }
  /** A member of a list, which is left out by other means than by emptying it. */
  | { readonly is: 'unticked' }
