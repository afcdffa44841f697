// A server with the sandbox, and how somebody calls its tools: through the engine, with real runtimes.
import { expect } from 'vitest'
import { readConfig } from '../../../../server/config/file.ts'
import type { BudgetAnalysis } from '../../../../server/errors/budget.ts'
import type { CodeEdit, Fix } from '../../../../server/errors/guidance.ts'
import type { Answer } from '../../../../server/rail/answers/outcome.ts'
import { call } from '../../../../server/rail/call.ts'
import { caller, requestOf } from '../../../kit/calls.ts'
import { atEnd } from '../../../journeys/at-end.ts'
import { composed } from '../../../kit/composed.ts'

export type Given = Readonly<Record<string, unknown>>

async function composedServer(sandbox: Given = {}, guidance: Given = {}) {
  const settings = readConfig(undefined, {}, [])
  if (!settings.ok) throw new Error('unreachable')
  const { server } = settings.value
  const options = {
    file: ':memory:',
    sandbox: { ...server.sandbox, enabled: true, cacheFolder: 'node_modules/.cache/sandbox', ...sandbox },
    settings: { guidance: { errors: true, budget: true, ...guidance } },
  }
  const { parts } = await composed(options, atEnd)
  return parts
}

const servers = new Map<string, ReturnType<typeof composedServer>>()

/** A server with the sandbox: one for all tests of a file that ask for the same, because each starts runtimes of its own. */
export function openServer(...given: Parameters<typeof composedServer>): ReturnType<typeof composedServer> {
  const name = JSON.stringify(given)
  const server = servers.get(name) ?? composedServer(...given)
  servers.set(name, server)
  atEnd(() => void servers.delete(name))
  return server
}

let labs = 0

/** How somebody calls it who has not called it before. */
export async function openLab(...given: Parameters<typeof openServer>) {
  const parts = await openServer(...given)
  labs += 1
  const somebody = `ada ${labs}`
  return (tool: string, args: Given, subject = somebody, signal?: AbortSignal): Promise<Answer> =>
    call(parts.engine, {
      ...requestOf(
        tool,
        { rationale: 'The person wants the total.', ...args },
        caller({ principal: { tenant: 'default', subject } }),
      ),
      ...(signal === undefined ? {} : { signal }),
    })
}

interface Used {
  readonly call: number
  readonly consumed: number
  readonly budget: number
}

/** What `execute_code` answers. */
export interface Ran {
  readonly success: boolean
  readonly stdout: string
  readonly stderr: string
  readonly exit_code: number
  readonly ended: string
  readonly fuel: { readonly consumed: number; readonly budget: number }
  readonly session_id?: string
  readonly files_changed: readonly { readonly path: string }[]
  readonly truncated?: { readonly stdout_bytes: number; readonly stderr_bytes: number; readonly files_changed?: number }
  readonly metadata: {
    readonly error_guidance?: {
      readonly error_type: string
      readonly edits?: readonly CodeEdit[]
      readonly fix: readonly Fix[]
    }
    readonly fuel_analysis?: BudgetAnalysis
    readonly fuel_by_call?: readonly Used[]
  }
}

/** The result of a call that ran a program. */
export const ran = (answer: Answer): Ran => {
  expect(answer.outcome, answer.text).toBe('applied')
  return answer.result as Ran
}
