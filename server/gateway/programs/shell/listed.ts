// A command that reads with the options that are known to read.
import type { ShellWord } from './words.ts'

/** Whether a command with these words only reads. */
export type Rule = (args: readonly ShellWord[]) => boolean

/** The words that a command may be given. */
interface Listed {
  /** Options that stand by themselves. */
  readonly flags: Pick<RegExp, 'test'>
  /** Options that take the next word. */
  readonly valued?: RegExp
  readonly operand?: RegExp
  /** How many words that are no options. */
  readonly most?: number
}

/** What reads with these options and no others. */
export const listed =
  ({ flags, valued, operand, most }: Listed): Rule =>
  (args) => {
    let operands = 0
    for (let at = 0; at < args.length; at++) {
      const { exact, operand: isOperand } = args[at] ?? {}
      if (exact !== undefined && valued?.test(exact)) {
        if (args[++at]?.exact === undefined) return false
      } else if (exact?.startsWith('-')) {
        if (!flags.test(exact)) return false
      } else {
        if (!isOperand || (exact === undefined && (most ?? operand) !== undefined)) return false
        if (operand !== undefined && !operand.test(exact ?? '')) return false
        operands++
      }
    }
    return operands <= (most ?? Infinity)
  }
