import { onTestFinished } from 'vitest'
import { compose, type ComposeOptions, type Composed } from '../../server/compose/compose.ts'

/** A server without a door; closes with its test, or when `whenDone` says. */
export async function composed(
  options: ComposeOptions,
  whenDone: (close: () => Promise<void>) => void = onTestFinished,
): Promise<Composed> {
  const result = await compose(options)
  if (!result.ok) throw new Error(result.failure.message)
  whenDone(() => result.value.close())
  return result.value
}
