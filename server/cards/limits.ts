// A card is read on a phone by somebody in a hurry, and travels through hosts that choke on megabytes. These are the
// sizes up to which the view promises to show everything; what is longer is refused where the card is built, by path,
// and never cut silently where it is shown.

/** How much each part of a card may hold. */
export const cardLimits = {
  blocks: 60,
  /** Facts of one `fields`, `details`, `totals` or folded list of what stays. */
  fields: 500,
  changes: 500,
  records: 1_000,
  effects: 200,
  /** Rows of `lines` and `table`; the view pages them. */
  rows: 5_000,
  columns: 12,
  /** Members of a value that is a list, and how deep lists may stand in lists. */
  items: 1_000,
  depth: 4,
  /** Characters of one value or sentence; longer ones belong into `code`. */
  text: 100_000,
  code: 1_000_000,
  steps: 200,
  sample: 50,
  domains: 50,
  metrics: 12,
  links: 50,
  actions: 8,
  /** What must be typed: longer than this nobody types it. */
  phrase: 80,
} as const
