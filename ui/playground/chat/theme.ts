// A card should look as if it belonged to the chat it stands in, so the host hands its own values over under the names
// that MCP Apps gives them, and again whenever they change.
import { readerLocale } from '../../bridge/locale.ts'

export type Theme = 'light' | 'dark'

/** `McpUiHostContext`. The types of ext-apps do not resolve under `nodenext`: their imports lack extensions. */
export type HostContext = Readonly<Record<string, unknown>>

const names = {
  '--color-background-primary': '--bg',
  '--color-background-secondary': '--bg2',
  '--color-background-danger': '--danger-bg',
  '--color-background-warning': '--warn-bg',
  '--color-background-success': '--ok-bg',
  '--color-text-primary': '--ink',
  '--color-text-secondary': '--ink2',
  '--color-text-tertiary': '--ink3',
  '--color-text-danger': '--danger',
  '--color-text-warning': '--warn',
  '--color-text-success': '--ok',
  '--color-border-primary': '--line',
  '--color-ring-primary': '--accent',
  '--font-sans': '--sans',
  '--font-mono': '--mono',
  '--border-radius-md': '--r2',
  '--border-radius-lg': '--r',
} as const

/** Whose eyes: what is left out or empty is as the browser says. */
export interface Reader {
  readonly language?: string
  readonly timeZone?: string
}

/** The locale that the person chose, or else the browser's. */
export const localeOf = ({ language }: Reader): string => readerLocale(language, navigator.language)

/** What a view learns of this host. */
export function hostContext(theme: Theme, maxWidth: number, reader: Reader = {}): HostContext {
  const style = getComputedStyle(document.documentElement)
  const variables = Object.fromEntries(
    Object.entries(names).map(([theirs, ours]) => [theirs, style.getPropertyValue(ours).trim()]),
  )
  return {
    theme,
    styles: { variables },
    locale: localeOf(reader),
    timeZone: reader.timeZone || Intl.DateTimeFormat().resolvedOptions().timeZone,
    containerDimensions: { maxWidth },
    displayMode: 'inline',
    availableDisplayModes: ['inline'],
    platform: 'web',
    userAgent: 'countersign-playground',
    deviceCapabilities: {
      touch: matchMedia('(pointer: coarse)').matches,
      hover: matchMedia('(hover: hover)').matches,
    },
  }
}

const key = 'countersign.playground.theme'

/** The person's choice, or else the system's. */
export function firstTheme(): Theme {
  const chosen = localStorage.getItem(key)
  if (chosen === 'light' || chosen === 'dark') return chosen
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}

/** Puts a theme on the page; with `keep`, also for the next visit. */
export function showTheme(theme: Theme, keep: boolean): void {
  document.documentElement.dataset['theme'] = theme
  if (keep) localStorage.setItem(key, theme)
}
