// Commands of the terminal as an operator has them, run in the process of the test: a process of its own costs half a
// second of work for a few lines.
import { PassThrough } from 'node:stream'
import { vi } from 'vitest'
import { longest } from '../longest.ts'
import { environment, type Ended, type Start } from './processes.ts'
import { main, Written } from './program.ts'

interface Options extends Pick<Start, 'env'> {
  /** Whether what it prints goes elsewhere, although a person sits there. */
  readonly isPiped?: boolean
}

/** Runs a command with this text on its stdin, or with nothing. */
export const runCommand = (
  args: readonly string[],
  options: Options & { readonly input?: string } = {},
): Promise<Ended> => inTerminal(args, false, options).ended

export type Answer = readonly [question: string, answer: string | ((shown: string) => string | Promise<string>)]

/** Runs a command at a terminal and answers its questions in order, each when it stands there and not before. */
export async function atTerminal(
  args: readonly string[],
  answers: readonly Answer[] = [],
  options: Options = {},
): Promise<Ended> {
  const running = inTerminal(args, true, options)
  let read = 0
  for (const [question, answer] of answers) {
    const asked = (): number => running.stderr.text.indexOf(question, read)
    const gone = running.ended.then(() => 'gone' as const)
    const here = vi.waitUntil(() => asked() >= 0, { timeout: longest, interval: 5 }).then(() => 'asked' as const)
    if ((await Promise.race([gone, here])) === 'gone') {
      here.catch(() => undefined)
      throw new Error(`"${question}" was never asked: ${running.stderr.text}`)
    }
    read = asked() + question.length
    running.stdin.write(`${await answerTo(running, answer)}\r`)
  }
  return running.ended
}

/** What is answered; a command whose answer could not be found is left and over before the next one begins. */
async function answerTo(running: ReturnType<typeof inTerminal>, answer: Answer[1]): Promise<string> {
  if (typeof answer === 'string') return answer
  try {
    return await answer(running.stderr.text)
  } catch (error) {
    running.stdin.end()
    await running.ended
    throw error
  }
}

function inTerminal(
  args: readonly string[],
  isTTY: boolean,
  { env = {}, input, isPiped = false }: Options & { readonly input?: string },
): { readonly stdin: PassThrough; readonly stderr: Written; readonly ended: Promise<Ended> } {
  const [stdin, stdout, stderr] = [
    Object.assign(new PassThrough(), { isTTY }),
    new Written(isTTY && !isPiped),
    new Written(isTTY),
  ]
  if (!isTTY) stdin.end(input)
  const own = environment(env)
  const ended = inEnvironment(own, () => main(args, { stdin, stdout, stderr, env: own })).then((code) => ({
    code,
    stdout: stdout.text,
    stderr: stderr.text,
  }))
  return { stdin, stderr, ended }
}

let isUnderWay = false

/** Runs the work with these variables and no others. @throws while other work has variables of its own. */
async function inEnvironment<T>(own: Readonly<Record<string, string>>, work: () => Promise<T>): Promise<T> {
  if (isUnderWay) throw new Error('Two commands in one process would see the variables of each other.')
  isUnderWay = true
  const before = { ...process.env }
  const set = (variables: NodeJS.ProcessEnv): void => {
    for (const name of Object.keys(process.env)) delete process.env[name]
    Object.assign(process.env, variables)
  }
  set(own)
  try {
    return await work()
  } finally {
    set(before)
    isUnderWay = false
  }
}
