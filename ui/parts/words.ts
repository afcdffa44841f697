// The few words that the pieces say themselves. They stand together so that a language is one more object and not a
// hunt through components.

export interface PartWords {
  readonly notSet: string
  readonly unknown: string
  readonly yes: string
  readonly no: string
  readonly none: string
  /** Before an old value and a new one, for those who cannot see the strike and the tint. */
  readonly was: string
  readonly becomes: string
  readonly field: string
  readonly youSaw: string
  readonly now: string
  readonly wouldBecome: string
  readonly added: string
  readonly removed: string
  readonly severity: Readonly<Record<'info' | 'warning' | 'danger' | 'block', string>>
  readonly newBlock: string
  readonly copy: string
  readonly copied: string
  readonly pressToCopy: string
  unchanged(count: number): string
  /** Title of the visible mark that stands for a character nobody would see. */
  mark(code: string): string
}

export const english: PartWords = {
  notSet: 'not set',
  unknown: 'unknown',
  yes: 'Yes',
  no: 'No',
  none: 'none',
  was: 'was',
  becomes: 'becomes',
  field: 'Field',
  youSaw: 'You saw',
  now: 'Now',
  wouldBecome: 'Would become',
  added: 'added',
  removed: 'removed',
  severity: { info: 'Note', warning: 'Warning', danger: 'Danger', block: 'Blocked' },
  newBlock: 'This part needs a newer view and is not shown.',
  copy: 'Copy',
  copied: 'Copied',
  pressToCopy: 'Copying is blocked here. Press Ctrl+C or ⌘C.',
  unchanged: (count) => (count === 1 ? '1 unchanged field' : `${count} unchanged fields`),
  mark: (code) => `Invisible character ${code}`,
}
