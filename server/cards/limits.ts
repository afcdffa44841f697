// Limits of a card: up to these sizes the view shows everything. Cards pass through hosts that fail on megabytes, so what is
// larger is refused where the card is built, with its path, and never cut silently where it is shown.

/** How much each part of a card may hold. */
export const cardLimits = {
  blocks: 60,
  /** Values of one `fields`, `details`, `totals` or `unchanged`. */
  fields: 500,
  changes: 500,
  records: 1_000,
  effects: 200,
  /** Rows of `lines` and `table`; the view pages them. */
  rows: 5_000,
  /** Rows of one page of a list that is longer than a card. */
  pageRows: 100,
  /** Characters of its name, of a row's key, of where a page begins. */
  listPart: 500,
  /** Values and members that a card offers to change. */
  edits: 300,
  /** Characters of JSON of a page, of an item of it that is opened, and of how something goes on. */
  read: 400_000,
  columns: 12,
  /** Members of a value that is a list, and how deep lists may be nested. */
  items: 1_000,
  depth: 4,
  /** Characters of one value or sentence; longer texts belong in `code`. */
  text: 100_000,
  code: 1_000_000,
  /** Stretches of one text that look unlike the rest. */
  spans: 4_000,
  steps: 200,
  sample: 50,
  domains: 50,
  metrics: 12,
  links: 50,
  actions: 8,
  /** Characters of its `data:` address. */
  icon: 16_000,
  /** Pictures of a card; the characters of the `data:` address of one, and the pixels of either of its sides. */
  pictures: 4,
  picture: 64_000,
  pictureSide: 2_000,
  /** Characters of `confirm_phrase`, which a person must type. */
  phrase: 80,
} as const
