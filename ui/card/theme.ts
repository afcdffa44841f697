// The host's colours make the card belong; its own make it readable where the host offers none. Both meet on the root
// element, and a pair of host colours that nobody could read together is not taken over.
import { AA, contrast, type Rgb } from '../../server/cards/contrast.ts'
import type { HostContext } from '../bridge/host.ts'

/** Text upon its ground, as the style sheet pairs them. */
const pairs = [
  'primary primary',
  'secondary primary',
  'secondary secondary',
  'tertiary primary',
  'info primary',
  'primary danger',
  'danger danger',
  'danger primary',
  'primary warning',
  'warning warning',
  'warning primary',
  'primary success',
  'success primary',
].map((pair) => {
  const [text = '', ground = ''] = pair.split(' ')
  return [`--color-text-${text}`, `--color-background-${ground}`] as const
})

/**
 * The browser resolves whatever the host wrote: `light-dark()` by computing it, then any colour space by painting it,
 * and what is translucent by painting it upon what lies below. The first of them is the lowest.
 */
const resolver = (root: HTMLElement): { resolve(...layers: readonly string[]): Rgb | undefined; close(): void } => {
  const probe = document.createElement('span')
  root.append(probe)
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = 1
  const brush = canvas.getContext('2d', { willReadFrequently: true })
  return {
    resolve(...layers): Rgb | undefined {
      if (!brush) return undefined
      for (const color of ['Canvas', ...layers]) {
        probe.style.color = ''
        probe.style.color = color
        if (!probe.style.color) return undefined
        brush.fillStyle = getComputedStyle(probe).color
        brush.fillRect(0, 0, 1, 1)
      }
      const [r = 0, g = 0, b = 0] = brush.getImageData(0, 0, 1, 1).data
      return [r, g, b]
    },
    close: () => probe.remove(),
  }
}

const dropUnreadable = (root: HTMLElement, names: readonly string[]): void => {
  const colors = resolver(root)
  // Each pair as the sheet will see it: the host's colour where there is one, ours where there is none.
  const valueOf = (name: string): string => getComputedStyle(root).getPropertyValue(name)
  const isReadable = ([text, ground]: (typeof pairs)[number]): boolean => {
    const below = valueOf(ground)
    const [a, b] = [colors.resolve(below, valueOf(text)), colors.resolve(below)]
    return !a || !b || contrast(a, b) >= AA
  }
  for (const pair of pairs) {
    const [text, ground] = pair
    // The special colour of the pair gives way; what everything else stands on stays.
    if (!isReadable(pair)) root.style.removeProperty(ground === '--color-background-primary' ? text : ground)
  }
  if (!pairs.every(isReadable))
    for (const name of names) if (name.startsWith('--color-')) root.style.removeProperty(name)
  colors.close()
}

/** Puts theme and colours of the host on the root element. Without a theme the browser's preference counts. */
export const applyTheme = (context: HostContext, prefersDark: boolean, root = document.documentElement): void => {
  const theme = context.theme ?? (prefersDark ? 'dark' : 'light')
  root.style.colorScheme = theme
  for (const [name, value] of Object.entries(context.variables)) root.style.setProperty(name, value)
  const names = Object.keys(context.variables)
  if (names.length > 0) dropUnreadable(root, names)
}
