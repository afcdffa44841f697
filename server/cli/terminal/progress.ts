// That something runs, and how far it has got, for whoever waits for a command: one line with a bar that is drawn again on a
// terminal, and lines in a pipe or a log, at most one each second. On stderr, because stdout is for what was asked for.
import { showInvisible } from '../../cards/invisible-characters.ts'
import { surroundings } from '../../model/surroundings.ts'
import { say } from './output.ts'

/** One step that a tool reports (MCP `notifications/progress`). */
interface ProgressStep {
  readonly progress: number
  readonly total?: number
  readonly message?: string
}

export interface ShownProgress {
  tell(step: ProgressStep): void
  /** Takes the line away again. */
  end(): void
}

const firstAfterMs = 1_000
const barWidth = 20
const usualColumns = 80

/** "0:07", "12:31". */
const clock = (ms: number): string => {
  const seconds = Math.floor(ms / 1_000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

const amounts = ({ progress, total }: ProgressStep): string =>
  total === undefined ? String(progress) : `${progress} of ${total}`

function bar({ progress, total }: ProgressStep): readonly string[] {
  if (total === undefined || !(total > 0)) return []
  const full = Math.round(barWidth * Math.min(1, Math.max(0, progress / total)))
  return [`${'█'.repeat(full)}${'░'.repeat(barWidth - full)}`]
}

/** Begins to show that something runs; on a terminal once it has run for a second, whether or not anything is told of it. */
export function showProgress(now: () => number = Date.now): ShownProgress {
  const { stderr } = surroundings()
  const began = now()
  let step: ProgressStep | undefined
  if (stderr.isTTY !== true) {
    let saidAt = began
    let last: ProgressStep | undefined
    const sayLast = (): void => {
      if (last === undefined || now() - saidAt < firstAfterMs) return
      saidAt = now()
      say.line(['…', clock(saidAt - began), amounts(last), oneLine(last.message ?? '')].filter(Boolean).join(' '))
      last = undefined
    }
    const saying = setInterval(sayLast, 250)
    saying.unref()
    return {
      tell(told) {
        last = told
        sayLast()
      },
      end: () => clearInterval(saying),
    }
  }
  let isShown = false
  const draw = (): void => {
    if (now() - began < firstAfterMs) return
    isShown = true
    const parts =
      step === undefined ? ['running'] : [...bar(step), amounts(step), showInvisible(oneLine(step.message ?? ''))]
    const { columns = usualColumns } = stderr as { readonly columns?: number }
    stderr.write(
      `\r\u001B[K${[clock(now() - began), ...parts]
        .filter(Boolean)
        .join('  ')
        .slice(0, columns - 1)}`,
    )
  }
  const drawing = setInterval(draw, 250)
  drawing.unref()
  return {
    tell(told) {
      step = told
    },
    end() {
      clearInterval(drawing)
      if (isShown) stderr.write('\r\u001B[K')
    },
  }
}
