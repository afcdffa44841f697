// A card should look as if it belonged to the chat it stands in, so the host hands its own values over, which bear the
// names that MCP Apps gives them, and again whenever they change.
import { readerLocale } from '../../bridge/locale.ts'
import { keptTheme, showTheme, themeOf, type Theme } from '../../parts/theme.ts'
import type { Settings } from '../sessions/settings.ts'

export type { Theme }
export { showTheme }

/** `McpUiHostContext`. The types of ext-apps do not resolve under `nodenext`: their imports lack extensions. */
export type HostContext = Readonly<Record<string, unknown>>

const shared = [
  ...['primary', 'secondary', 'danger', 'warning', 'success'].map((name) => `--color-background-${name}`),
  ...['primary', 'secondary', 'tertiary', 'danger', 'warning', 'success'].map((name) => `--color-text-${name}`),
  '--color-border-primary',
  '--color-ring-primary',
  '--font-sans',
  '--font-mono',
  '--border-radius-md',
  '--border-radius-lg',
]

/** What is left out or empty is as the browser says. */
type Chosen = Partial<Pick<Settings, 'language' | 'timeZone'>>

/** The locale that the person chose, or else the browser's. */
export const localeOf = ({ language }: Chosen): string => readerLocale(language, navigator.language)

/** What a view learns of this host. */
export function hostContext(theme: Theme, maxWidth: number, chosen: Chosen = {}): HostContext {
  const style = getComputedStyle(document.documentElement)
  const variables = Object.fromEntries(shared.map((name) => [name, style.getPropertyValue(name).trim()]))
  return {
    theme,
    styles: { variables },
    locale: localeOf(chosen),
    timeZone: chosen.timeZone || Intl.DateTimeFormat().resolvedOptions().timeZone,
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

/** The person's choice, or else the system's. */
export const firstTheme = (): Theme => themeOf(keptTheme())
