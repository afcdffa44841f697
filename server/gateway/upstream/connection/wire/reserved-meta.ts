// What a card says, a client believes. An upstream that could write our keys into a `_meta` could draw a card of ours, so
// they are taken out of everything that comes from outside (docs/DESIGN.md, section 4).

const ours = 'countersign/'

/**
 * Removes our keys from every `_meta`, at any depth, in place: the value came from the wire and nobody else has it. A loop
 * and not a recursion, because an upstream chooses how deep its answer nests.
 */
export function stripOurKeys<T>(value: T): T {
  const open: unknown[] = [value]
  while (open.length > 0) {
    const held = open.pop()
    if (typeof held !== 'object' || held === null) continue
    for (const [key, member] of Object.entries(held)) {
      if (typeof member !== 'object' || member === null) continue
      if (key === '_meta')
        for (const inner of Object.keys(member))
          if (inner.startsWith(ours)) delete (member as Record<string, unknown>)[inner]
      open.push(member)
    }
  }
  return value
}
