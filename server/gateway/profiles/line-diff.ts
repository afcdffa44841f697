// The change of a text in the lines that change. The file names and the "Index:" of a patch say nothing that the card
// does not say already.
import type * as Diff from 'diff'
import type { CardBlock } from '../../model/card.ts'
import { packageOnFirstUse } from '../../errors/optional-package.ts'
import { runsWithin } from '../contract/deadline.ts'

let diff: typeof Diff | undefined

/** Loads what compares lines. Only previews do; whoever makes one awaits it first. */
export const loadLineDiff = packageOnFirstUse('diff', async () => void (diff = await import('diff')))

function loaded(): typeof Diff {
  if (diff === undefined) throw new Error('What compares lines is not loaded yet; await loadLineDiff() first.')
  return diff
}

/** Texts that differ in more lines than this are not compared: that takes long, and nobody reads it as a difference. */
const mostEdits = 4000

/** Milliseconds; nobody else is answered meanwhile. */
const slowest = 500

/** Hunks with `context` lines around each change; `undefined` where the texts differ too much to compare. */
export function lineDiff(before: string, after: string, context = 3): string | undefined {
  const { structuredPatch } = loaded()
  let patch: Diff.StructuredPatch | undefined
  runsWithin(slowest, () => {
    patch = structuredPatch('', '', before, after, '', '', { context, maxEditLength: mostEdits })
  })
  if (patch === undefined) return undefined
  return textOfHunks(patch.hunks)
}

const textOfHunks = (hunks: readonly Diff.StructuredPatchHunk[]): string =>
  hunks
    .map(
      ({ oldStart, oldLines, newStart, newLines, lines }) =>
        `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@\n${lines.join('\n')}`,
    )
    .join('\n')

/**
 * The blocks of a patch as servers write it: each file under its name, without the lines that only programs read.
 * `undefined` where the text is no patch.
 */
export function patchBlocks(text: string, label: string): readonly CardBlock[] | undefined {
  const files = filesOf(text)
  if (files === undefined || files.length === 0) return undefined
  return files.map(({ name, hunks }) => ({
    kind: 'code',
    language: 'diff',
    label: files.length === 1 && name === undefined ? label : `${label}: ${name ?? 'a file'}`,
    text: hunks.length === 0 ? 'No lines of text change.' : textOfHunks(hunks),
  }))
}

function filesOf(text: string) {
  // Without a hunk or a header of git any text would be a patch of no files.
  if (!/^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@|^diff --git /m.test(text)) return undefined
  const { parsePatch } = loaded()
  try {
    return parsePatch(text).map(({ oldFileName, newFileName, index, hunks }) => {
      const name = [newFileName, oldFileName, index].find((each) => each !== undefined && each !== '/dev/null')
      return { name: name?.replace(/^[ab]\//, ''), hunks }
    })
  } catch {
    return undefined
  }
}
