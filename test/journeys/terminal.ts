// An operator at a terminal: types an answer when the question stands there, and not before.
import { vi } from 'vitest'
import { longest } from '../longest.ts'
import { fixture, start, type Ended, type Start } from './processes.ts'

export type Answer = readonly [question: string, answer: string | ((shown: string) => string)]

/** Runs a command at a terminal and answers its questions in order. */
export async function atTerminal(
  args: readonly string[],
  answers: readonly Answer[] = [],
  options: Start = {},
): Promise<Ended> {
  const running = start([...fixture('at-a-terminal'), ...args], options)
  let read = 0
  for (const [question, answer] of answers) {
    const asked = (): number => running.stderr().indexOf(question, read)
    const gone = running.ended.then(() => 'gone' as const)
    const here = vi.waitUntil(() => asked() >= 0, { timeout: longest }).then(() => 'asked' as const)
    if ((await Promise.race([gone, here])) === 'gone') {
      here.catch(() => undefined)
      throw new Error(`"${question}" was never asked: ${running.stderr()}`)
    }
    read = asked() + question.length
    running.child.stdin?.write(`${typeof answer === 'string' ? answer : answer(running.stderr())}\r`)
  }
  return running.ended
}
