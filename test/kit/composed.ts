import { onTestFinished } from 'vitest'
import { compose, type ComposeOptions, type Composed } from '../../server/compose/compose.ts'

/** A server without a door; closes with its test. */
export async function composed(options: ComposeOptions): Promise<Composed> {
  const result = await compose(options)
  if (!result.ok) throw new Error(result.failure.message)
  onTestFinished(() => result.value.close())
  return result.value
}
