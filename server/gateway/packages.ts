// What a gateway needs of the packages that may be missing is looked for at its start, and not loaded: a start pays for neither.
// The parsers of programs are not among it. Without them every call with a program is critical, and says why
// (`program-arguments.ts`).
import { missing } from '../errors/optional-package.ts'
import { loadHighlighter } from './looks/code-spans.ts'
import { loadMarkdown } from './looks/load-markdown.ts'
import { loadLineDiff } from './profiles/line-diff.ts'

/**
 * Says what a card lacks. Without colours it says as much as with them.
 * @throws {PackageMissing} where nothing could say what a call would change.
 */
export async function checkPackages(
  warn: (message: string, about: Readonly<Record<string, string>>) => void,
): Promise<void> {
  const [changes, ...looks] = await Promise.all([
    missing('diff', loadLineDiff),
    missing('highlight.js', loadHighlighter),
    missing('marked', loadMarkdown),
  ])
  if (changes !== undefined) throw changes
  for (const lacking of looks) if (lacking !== undefined) warn(`Cards show such texts plain. ${lacking.message}`, {})
}
