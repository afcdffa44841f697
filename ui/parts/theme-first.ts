// Runs in the head of a page, before it is drawn: a page in the wrong theme, even for a moment, flashes. The build writes
// it as a file of its own (`themeFirst` of `vite.config.ts`), because a module would wait for the whole document.
import { keptTheme, showTheme } from './theme.ts'

showTheme(keptTheme(), false)
