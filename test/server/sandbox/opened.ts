// A sandbox for tests: the real one, whose metered binaries are kept between runs of the tests.
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { openSandbox } from '../../../server/sandbox/open-sandbox.ts'
import type { Language, RunRequest, RunResult, Sandbox, SandboxLimits } from '../../../server/sandbox/sandbox.ts'

export const cacheFolder = fileURLToPath(new URL('../../../node_modules/.cache/sandbox', import.meta.url))

export const ada = { tenant: 'acme', subject: 'ada' } as const

export interface Opened {
  readonly sandbox: Sandbox
  /** Runs a program, in a session where there is one. */
  readonly run: (language: Language, code: string, more?: Partial<RunRequest>) => Promise<RunResult>
  readonly session: (language: Language) => Promise<string>
}

/** What both ways to open one share. */
export function opened(limits: Partial<SandboxLimits> = {}): Opened {
  const sandbox = openSandbox({ cacheFolder, limits })
  return {
    sandbox,
    run: async (language, code, more) => {
      const ran = await sandbox.run(ada, { language, code, ...more })
      if (!ran.ok) throw new Error(ran.failure.message)
      return ran.value
    },
    session: async (language) => {
      const created = await sandbox.createSession(ada, { language })
      if (!created.ok) throw new Error(created.failure.message)
      return created.value.sessionId
    },
  }
}

/** What `make` makes when it is asked for first, each time. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}

/** One that is closed when the test has ended. */
export function openedForTest(limits: Partial<SandboxLimits> = {}): Opened {
  const one = opened(limits)
  onTestFinished(() => one.sandbox.close())
  return one
}
