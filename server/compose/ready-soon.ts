// What a first call would wait for since V8 and Zod do it at the first use of a thing, done a moment after the start, when that
// has had the processor and an agent has seldom called anything (docs/adr/0061).
import { compilePatterns } from '../policy/redact.ts'
import { rehearseAnswers } from '../rail/answers/rehearse-answers.ts'

const afterMs = 1000

/** Makes a server ready for its first call, in steps between which it answers; the answer ends that before it has begun. */
export function readySoon(sandbox: { readonly getReady: () => Promise<void> }): () => void {
  const timer = setTimeout(() => {
    void (async () => {
      await compilePatterns()
      await rehearseAnswers()
    })()
    void sandbox.getReady()
  }, afterMs).unref()
  return () => clearTimeout(timer)
}
