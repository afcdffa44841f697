import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { asThemeChoice, followTheme, keptTheme, showTheme, themeChoices } from '../parts/theme.ts'

/** Light, dark, or as the system; kept by the browser for all pages of this server. */
export const ThemeSwitch = (): VNode => {
  const [choice, set] = useState(keptTheme)
  useEffect(
    () =>
      followTheme((chosen) => {
        showTheme(chosen, false)
        set(chosen)
      }),
    [],
  )
  return (
    <select
      class="theme-switch"
      aria-label="Theme"
      value={choice}
      onChange={(event) => {
        const chosen = asThemeChoice(event.currentTarget.value)
        showTheme(chosen, true)
        set(chosen)
      }}
    >
      {themeChoices.map(([value, words]) => (
        <option value={value}>{words}</option>
      ))}
    </select>
  )
}
