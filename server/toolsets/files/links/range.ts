// One range of bytes, as RFC 9110 (section 14) has it. What cannot be read is no range, and the whole is answered; several
// ranges are answered with the whole, which the RFC allows, because many small ones are an attack and nobody needs them.

export type Asked =
  | { readonly kind: 'whole' }
  | { readonly kind: 'part'; readonly first: number; readonly last: number }
  | { readonly kind: 'unsatisfiable' }

/** What a `Range` header asks of so many bytes. */
export function askedRange(header: string | null, size: number): Asked {
  const [, from = '', to = ''] = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(header ?? '') ?? []
  if (from === '' && to === '') return { kind: 'whole' }
  if (from === '') {
    const length = Math.min(Number(to), size)
    return length === 0 ? { kind: 'unsatisfiable' } : { kind: 'part', first: size - length, last: size - 1 }
  }
  const first = Number(from)
  const last = to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (to !== '' && Number(to) < first) return { kind: 'whole' }
  return first >= size ? { kind: 'unsatisfiable' } : { kind: 'part', first, last }
}
