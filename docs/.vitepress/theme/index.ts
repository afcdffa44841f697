// VitePress's own theme, without the font that it brings, in the colours of our other pages.
import DefaultTheme from 'vitepress/theme-without-fonts'
import './colours.css'

// oxlint-disable-next-line import/no-default-export -- VitePress takes the theme so.
export default DefaultTheme
