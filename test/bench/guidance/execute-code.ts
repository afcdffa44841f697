// `execute_code` as an agent calls it: the whole way of a call, with the activity log in a file, in one process.
import { join } from 'node:path'
import { compose } from '../../../server/compose/compose.ts'
import { readConfig } from '../../../server/config/file.ts'
import { call } from '../../../server/rail/call.ts'
import type { Language } from '../../../server/sandbox/sandbox.ts'
import { caller, requestOf } from '../../kit/calls.ts'

/** As much of an answer as is read here. */
export interface Answered {
  readonly ended: string
  readonly stderr: string
  readonly exit_code: number
  readonly duration_ms: number
}

export interface CodeCalls {
  /** Runs a program; without a session in a fresh place. */
  readonly run: (language: Language, code: string, sessionId?: string) => Promise<Answered>
  /** Begins a session and answers its id. */
  readonly session: (language: Language) => Promise<string>
  readonly close: () => Promise<void>
}

/** Opens a server with the sandbox, whose database and prepared runtimes lie in this folder. */
export async function openCodeCalls(folder: string): Promise<CodeCalls> {
  const settings = readConfig(undefined, {}, [])
  if (!settings.ok) throw new Error('The settings without a file are not read.')
  const { sandbox } = settings.value.server
  const composed = await compose({
    file: join(folder, 'countersign.db'),
    sandbox: { ...sandbox, enabled: true, cacheFolder: join(folder, 'runtimes') },
    settings: { guidance: { errors: true, budget: true } },
    logLevel: 'error',
  })
  if (!composed.ok) throw new Error(composed.failure.message)
  const { parts } = composed.value
  const ask = async (tool: string, args: Readonly<Record<string, unknown>>): Promise<unknown> => {
    const answer = await call(
      parts.engine,
      requestOf(tool, { rationale: 'The benchmark asks for it.', ...args }, caller()),
    )
    if (answer.outcome !== 'applied') throw new Error(answer.text)
    return answer.result
  }
  return {
    run: async (language, code, sessionId) =>
      (await ask('execute_code', {
        language,
        code,
        ...(sessionId === undefined ? {} : { session_id: sessionId }),
      })) as Answered,
    session: async (language) => ((await ask('create_session', { language })) as { session_id: string }).session_id,
    close: () => composed.value.close(),
  }
}
