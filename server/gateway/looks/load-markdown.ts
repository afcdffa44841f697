// Markdown is laid out by a package that is loaded with the first text of it.
import { packageOnFirstUse } from '../../errors/optional-package.ts'

export const loadMarkdown = packageOnFirstUse('marked', () => import('./markdown-spans.ts'))
