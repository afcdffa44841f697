// Arguments and results of the sandbox's tools, and what its refusals mean for their callers.
import { z } from 'zod'
import type { Result } from '../../errors/result.ts'
import type { SandboxRefusal, SessionInfo } from '../../sandbox/sandbox.ts'
import type { FailureSpec, ToolContext, ToolFailed } from '../../tools/contract.ts'

export const language = z.enum(['python', 'javascript'])
export const sessionId = z.string().min(1).max(100)
export const filePath = z
  .string()
  .min(1)
  .max(500)
  .describe('Relative to the workspace, with / between its parts: "data/in.csv".')

export const fileChange = z.strictObject({
  path: z.string(),
  change: z.enum(['created', 'modified', 'deleted']),
  bytes: z.int(),
})

/** Files that one answer names; an agent is told how many more there are. */
export const mostListed = 200

export const sessionOut = z.strictObject({
  session_id: z.string(),
  language,
  runs: z.int(),
  busy: z.boolean(),
  files: z.int(),
  workspace_bytes: z.int(),
  imported: z.array(z.string()),
  idle_seconds: z.int(),
  ends_after_idle_seconds: z.int(),
})

/** A session as agents read it. */
export const sessionView = (session: SessionInfo): z.infer<typeof sessionOut> => ({
  session_id: session.sessionId,
  language: session.language,
  runs: session.runs,
  busy: session.busy,
  files: session.files,
  workspace_bytes: session.workspaceBytes,
  imported: [...session.imported],
  idle_seconds: Math.round(session.idleMs / 1000),
  ends_after_idle_seconds: Math.round(session.idleTimeoutMs / 1000),
})

const after = (guidance: string): FailureSpec => ({ effect: 'none', guidance, retryable: 'after_change' })
const later = (guidance: string): FailureSpec => ({
  effect: 'none',
  guidance,
  retryable: 'after_wait',
  retryAfterSeconds: 5,
})

/** Every refusal of the sandbox. Nothing has run where one is answered. */
export const refusals = {
  runtime_missing: {
    effect: 'none',
    guidance: 'Ask the operator of this server to install the runtime, or use another language of `list_runtimes`.',
    retryable: 'no',
  },
  runtime_changed: {
    effect: 'none',
    guidance: 'Tell the operator of this server: the runtime is not the one that was checked.',
    retryable: 'no',
  },
  runtime_not_started: later(
    'Call again. Where it does not start each time, tell the operator: the machine is busy or short of memory.',
  ),
  no_such_session: after('Call list_sessions, or create_session for a new one.'),
  wrong_language: after('Create a session of the other language, or leave session_id out.'),
  too_many_sessions: after('End one that you do not need with destroy_session.'),
  too_many_waiting: later('Wait until earlier runs of this session have ended.'),
  too_many_running: later('Call again, or with a larger `timeout_ms`: a program waits for its turn for as long.'),
  invalid_path: after('Name a file inside the workspace by a relative path.'),
  no_such_file: after('Call get_workspace_info, which lists the files of the session.'),
  workspace_full: after('Delete files of the workspace, or call reset_workspace.'),
  invalid_request: after('Change the argument that the message names.'),
  cancelled: after('Call again where the result is wanted after all.'),
  closed: later('The server is ending; call again once it is back.'),
} as const satisfies Readonly<Record<SandboxRefusal['code'], FailureSpec>>

type Context = Pick<ToolContext<SandboxRefusal['code']>, 'fail'>

/** What the sandbox answered, as a contract answers it. */
export const answered = <T, O>(
  ctx: Context,
  result: Result<T, SandboxRefusal>,
  view: (value: T) => O,
): O | ToolFailed => (result.ok ? view(result.value) : ctx.fail(result.failure.code, result.failure.message))
