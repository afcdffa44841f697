// Light, dark, or as the system: chosen once for all pages of a server and kept by the browser. The stylesheets follow
// `color-scheme`, so a choice is one attribute on the root element. `theme-first.ts` sets it before anything is drawn.

/** What a page looks like. */
export type Theme = 'light' | 'dark'

/** What the person chose; `system` where they chose nothing. */
export type ThemeChoice = Theme | 'system'

/** Every choice, with its words. */
export const themeChoices: readonly (readonly [choice: ThemeChoice, words: string])[] = [
  ['system', 'System theme'],
  ['light', 'Light theme'],
  ['dark', 'Dark theme'],
]

const key = 'countersign.theme'

/** Reads a word as a choice; what is none is as the system. */
export const asThemeChoice = (text: string | null): ThemeChoice =>
  text === 'light' || text === 'dark' ? text : 'system'

/** The choice that this browser keeps. */
export const keptTheme = (): ThemeChoice => asThemeChoice(localStorage.getItem(key))

/** How a choice looks now. */
export const themeOf = (choice: ThemeChoice): Theme => {
  if (choice !== 'system') return choice
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}

/** Puts a choice on the page; with `keep`, also for the next visit and the other pages. */
export const showTheme = (choice: ThemeChoice, keep: boolean): void => {
  if (choice === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = choice
  if (keep) localStorage.setItem(key, choice)
}

/** Follows what is chosen in other tabs, until the function that it answers is called. */
export const followTheme = (chosen: (choice: ThemeChoice) => void): (() => void) => {
  const told = (event: StorageEvent): void => {
    if (event.key === key) chosen(asThemeChoice(event.newValue))
  }
  addEventListener('storage', told)
  return () => removeEventListener('storage', told)
}
