// Sessions: what an agent needs from one run to the next.
import { z } from 'zod'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import type { Contract } from '../../tools/contract.ts'
import { defineTool } from '../../tools/define-tool.ts'
import { answered, language, refusals, sessionId, sessionOut, sessionView } from './shapes.ts'
import { languages, wordsIn } from './words.ts'
import { descriptionOf, sessionTree, type DescriptionLength } from './descriptions.ts'

const { runtime_missing, runtime_changed, runtime_not_started, no_such_session, too_many_sessions, closed } = refusals

/** `create_session`, `destroy_session`, `list_sessions`. */
export const sessionTools = (sandbox: Sandbox, length: DescriptionLength): readonly Contract[] => [
  defineTool({
    name: 'create.session',
    title: 'Begin a session',
    noun: 'the session',
    description: descriptionOf(
      length,
      'Begins a session, in which variables, imports and files stay from one `execute_code` to the next.',
      ...sessionTree,
    ),
    category: 'sandbox',
    operation: 'write',
    risk: 'low',
    autonomous: true,
    input: z.strictObject({ language }),
    output: sessionOut,
    failures: { runtime_missing, runtime_changed, runtime_not_started, too_many_sessions, closed },
    sideEffects: [{ what: 'A session is kept until it is ended or idle for long.', onRepeat: 'A second one begins.' }],
    idempotency: 'plan',
    auditEvent: 'session.created',
    languages,
    preview(given, ctx) {
      const { session } = wordsIn(ctx.language)
      return {
        title: session.begin,
        summary: session.beginSummary(given.language),
        confirmLabel: session.beginConfirm,
      }
    },
    run: async (given, ctx) => answered(ctx, await sandbox.createSession(ctx.principal, given), sessionView),
    cards: {
      success: (_, { session_id: id }, ctx) => ({ title: wordsIn(ctx.language).session.begun, subtitle: id }),
    },
  }),
  defineTool({
    name: 'destroy.session',
    title: 'End a session',
    noun: 'the end of the session',
    description: descriptionOf(length, 'Ends a session: its variables and the files of its workspace are gone.'),
    category: 'sandbox',
    operation: 'destructive',
    risk: 'medium',
    autonomous: true,
    input: z.strictObject({ session_id: sessionId }),
    output: sessionOut,
    failures: { no_such_session },
    sideEffects: [
      { what: 'Variables and files of the session are gone.', onRepeat: 'Refused: there is no such session.' },
    ],
    idempotency: 'plan',
    auditEvent: 'session.destroyed',
    languages,
    preview({ session_id: id }, ctx) {
      const { session } = wordsIn(ctx.language)
      return { title: session.end(id), summary: session.endSummary(id), confirmLabel: session.endConfirm }
    },
    run: async (given, ctx) =>
      answered(ctx, await sandbox.destroySession(ctx.principal, given.session_id), sessionView),
    cards: {
      success: (_, { session_id: id }, ctx) => ({ title: wordsIn(ctx.language).session.ended, subtitle: id }),
    },
  }),
  defineTool({
    name: 'list.sessions',
    title: 'List sessions',
    description: descriptionOf(length, 'Lists your sessions, with what each has imported and how long it stays.'),
    category: 'sandbox',
    operation: 'read',
    risk: 'low',
    input: z.strictObject({}),
    output: z.strictObject({ sessions: z.array(sessionOut) }),
    failures: {},
    run: (_, ctx) => ({ sessions: sandbox.listSessions(ctx.principal).map(sessionView) }),
  }),
]
