// `execute_code`: runs a program of the agent in its own workspace. It asks nobody, because nothing of it leaves the
// sandbox; a program that fails is a result like any other, with what to change in it.
import { z } from 'zod'
import type { CardBlock } from '../../model/card.ts'
import { useOf, type BudgetAnalysis } from '../../errors/budget.ts'
import type { CodeEdit, ErrorGuidance } from '../../errors/guidance.ts'
import { withEdits } from '../../sandbox/outcome/edits/mistake.ts'
import { explainRun, type Explanation } from '../../sandbox/outcome/explain-run.ts'
import { surroundingsOf } from '../../sandbox/outcome/facts.ts'
import type { RunResult, Sandbox } from '../../sandbox/sandbox.ts'
import type { Conclusion } from '../../model/finding.ts'
import type { CardContext, Contract, Success, ToolContext } from '../../tools/contract.ts'
import { defineTool } from '../../tools/define-tool.ts'
import { answered, fileChange, filePath, language, mostListed, refusals, sessionId } from './shapes.ts'
import { languages, wordsIn, type SandboxWords } from './words.ts'
import { descriptionOf, languageLines, sessionTree, type DescriptionLength } from './descriptions.ts'

const input = z.strictObject({
  code: z.string().min(1).max(200_000),
  language,
  session_id: sessionId.optional().describe('Runs in this session, with its variables, imports and files.'),
  timeout_ms: z.int().min(1).optional().describe('Wall-clock limit of the run.'),
  budget: z
    .int()
    .min(1)
    .optional()
    .describe('Fuel that the run may use: WebAssembly instructions. Only what is used counts.'),
  files: z
    .array(
      z.strictObject({
        path: filePath,
        content: z.string(),
        encoding: z.enum(['text', 'base64']).default('text'),
      }),
    )
    .max(100)
    .optional()
    .describe('Written into the workspace before the run.'),
})

const output = z.strictObject({
  success: z.boolean(),
  stdout: z.string(),
  stderr: z.string(),
  exit_code: z.int(),
  ended: z.enum(['finished', 'error', 'out_of_fuel', 'out_of_memory', 'timeout', 'output_limit', 'crashed']),
  duration_ms: z.number(),
  fuel: z.strictObject({ consumed: z.int(), budget: z.int(), model: z.literal('wasm-seg/2') }),
  memory_bytes: z.int(),
  files_changed: z.array(fileChange),
  session_id: z.string().optional(),
  session_reset: z.boolean(),
  files_lost: z.boolean(),
  truncated: z
    .strictObject({ stdout_bytes: z.int(), stderr_bytes: z.int(), files_changed: z.int().optional() })
    .optional(),
  metadata: z.strictObject({
    error_guidance: z.looseObject({}).optional(),
    fuel_analysis: z.looseObject({}).optional(),
    fuel_by_call: z.array(z.strictObject({ call: z.int(), consumed: z.int(), budget: z.int() })).optional(),
  }),
})

type Input = z.infer<typeof input>
type Output = z.infer<typeof output>

/** `execute_code`. */
export function executeTool(sandbox: Sandbox, length: DescriptionLength): Contract {
  const largestBudget = Math.max(0, ...sandbox.runtimes().map(({ limits }) => limits.largestBudget))
  const known = surroundingsOf({ largestBudget }, sandbox.packages())
  return defineTool({
    name: 'execute.code',
    title: 'Run a program',
    noun: 'the run',
    description: descriptionOf(
      length,
      'Runs a Python or JavaScript program in a sandbox without network and without files of this machine.',
      ...languageLines(sandbox.runtimes()),
      'A program that fails is answered with `metadata.error_guidance`; its `edits` say which text of which line to replace. `metadata.fuel_analysis` says how much of the budget was used.',
      ...sessionTree,
    ),
    category: 'sandbox',
    operation: 'write',
    risk: 'low',
    autonomous: true,
    input,
    output,
    failures: refusals,
    sideEffects: [
      {
        what: 'Files and variables of the session change; nothing outside of its workspace does.',
        onRepeat: 'The program runs again on what the first run left.',
      },
    ],
    idempotency: 'plan',
    cancellable: true,
    auditEvent: 'program.executed',
    languages,
    preview: (given, ctx) => {
      // A first program waits less for its runtime, which gets ready while the call is written down.
      sandbox.expectPrograms(given.language)
      const { run } = wordsIn(ctx.language)
      const spoken = named(given.language)
      return {
        title: run.title(spoken),
        summary: run.summary({
          lines: given.code.split('\n').length,
          language: spoken,
          session: given.session_id,
        }),
        blocks: [{ kind: 'code', label: run.program, text: given.code, language: given.language }],
        confirmLabel: run.confirm,
      }
    },
    run: async (given, ctx) =>
      answered(
        ctx,
        await sandbox.run(ctx.principal, {
          language: given.language,
          code: given.code,
          sessionId: given.session_id,
          timeoutMs: given.timeout_ms,
          budget: given.budget,
          files: given.files,
          signal: AbortSignal.any([ctx.signal, ctx.cancelled]),
        }),
        (result) => {
          const explained = explainRun(result, given, known)
          ctx.conclude(conclusionOf(result, explained))
          return resultOf(result, explained, ctx.guidance)
        },
      ),
    cards: { success: cardOf },
  })
}

const named = (which: Input['language']): string => (which === 'python' ? 'Python' : 'JavaScript')

/** How the run ended, for operators. */
const conclusionOf = ({ ended }: RunResult, { guidance, unexplained }: Explanation): Conclusion => ({
  ended,
  ...(guidance === undefined
    ? {}
    : {
        error: {
          type: guidance.error_type,
          rule: guidance.evidence.rule,
          ...(unexplained === undefined ? {} : { unexplained }),
        },
      }),
})

function resultOf(result: RunResult, { guidance, fuel }: Explanation, advice: ToolContext['guidance']): Output {
  return {
    success: result.ended === 'finished' && result.exitCode === 0,
    stdout: result.stdout,
    stderr: result.stderr,
    exit_code: result.exitCode,
    ended: result.ended,
    duration_ms: result.durationMs,
    fuel: result.fuel,
    memory_bytes: result.memoryBytes,
    files_changed: result.filesChanged.slice(0, mostListed),
    ...(result.sessionId === undefined ? {} : { session_id: result.sessionId }),
    session_reset: result.sessionReset,
    files_lost: result.filesLost,
    ...truncatedOf(result),
    metadata: {
      ...(advice.errors && guidance !== undefined ? { error_guidance: { ...guidance } } : {}),
      ...(advice.budget ? { fuel_analysis: { ...fuel } } : {}),
      // Of a session's first call `fuel` says it all.
      ...(advice.budget && result.sessionFuel !== undefined && result.sessionFuel.length > 1
        ? { fuel_by_call: result.sessionFuel.map(({ run, ...used }) => ({ call: run, ...used })) }
        : {}),
    },
  }
}

/** What the answer leaves out: bytes of what was printed, and files that the run changed. */
function truncatedOf({ truncated, filesChanged }: RunResult): Pick<Output, 'truncated'> {
  const left = Math.max(0, filesChanged.length - mostListed)
  if (truncated === undefined && left === 0) return {}
  const { stdoutBytes = 0, stderrBytes = 0 } = truncated ?? {}
  return {
    truncated: {
      stdout_bytes: stdoutBytes,
      stderr_bytes: stderrBytes,
      ...(left === 0 ? {} : { files_changed: left }),
    },
  }
}

type RunWords = SandboxWords['run']

function cardOf(given: Input, result: Output, ctx: CardContext): Success {
  const { run } = wordsIn(ctx.language)
  const { error_guidance: guidance, fuel_analysis: analysis, fuel_by_call: calls = [] } = result.metadata
  return {
    title: result.ended === 'error' ? run.exitCode(run.endings.error, result.exit_code) : run.endings[result.ended],
    failed: !result.success,
    subtitle: `${named(given.language)} · ${result.duration_ms.toFixed(0)} ms${result.session_id === undefined ? '' : ` · ${run.session(result.session_id)}`}`,
    blocks: [
      ...(guidance === undefined ? [] : guidanceBlocks(given.code, guidance as unknown as ErrorGuidance, run)),
      ...textBlock(run.output, result.stdout),
      ...textBlock(run.errors, result.stderr),
      ...(result.files_changed.length === 0 ? [] : [changes(result.files_changed, run)]),
      ...calls
        .slice(0, -1)
        .map((used) => fuelBar(run.used({ fuel: run.fuelOf(used.call), percent: shareOf(used) }), used)),
      fuelBar(fuelWords(result, analysis as BudgetAnalysis | undefined, run), result.fuel),
    ],
  }
}

function guidanceBlocks(code: string, said: ErrorGuidance, run: RunWords): readonly CardBlock[] {
  const example = editedLines(code, said.edits ?? []) ?? said.code_examples[0]
  return [
    { kind: 'alert', severity: 'warning', ...run.advice(said.message, said.cause) },
    ...(example === undefined ? [] : [{ kind: 'code' as const, label: run.change, text: example, language: 'diff' }]),
  ]
}

/** The lines that the edits change, before and after; `undefined` where lines come or go. */
function editedLines(code: string, edits: readonly CodeEdit[]): string | undefined {
  const before = code.split('\n')
  const after = (edits.length === 0 ? undefined : withEdits(code, edits))?.split('\n')
  if (after?.length !== before.length) return undefined
  return before.flatMap((line, at) => (line === after[at] ? [] : [`- ${line}`, `+ ${after[at] ?? ''}`])).join('\n')
}

/** What is printed mostly ends its last line; behind that a card would show an empty one. */
const textBlock = (label: string, text: string): readonly CardBlock[] =>
  text === '' ? [] : [{ kind: 'code', label, text: text.replace(/\n$/, '') }]

const changes = (list: Output['files_changed'], run: RunWords): CardBlock => ({
  kind: 'table',
  label: run.files,
  columns: [{ label: run.file }, { label: run.changed }, { label: run.bytes, align: 'end' }],
  rows: list.map(({ path, change, bytes }) => [
    { kind: 'code', text: path },
    { kind: 'text', text: run.changes[change] },
    { kind: 'number', value: String(bytes) },
  ]),
})

const fuelWords = ({ fuel, metadata }: Output, analysis: BudgetAnalysis | undefined, run: RunWords): string => {
  const call = metadata.fuel_by_call?.at(-1)?.call
  const name = call === undefined ? run.fuel : run.fuelOfThis(call)
  return analysis === undefined
    ? name
    : run.used({ fuel: name, percent: shareOf(fuel), advice: analysis.recommendation })
}

const shareOf = ({ consumed, budget }: Used): number => useOf(consumed, budget).utilization_percent

interface Used {
  readonly consumed: number
  readonly budget: number
}

/** Bars below each other have one scale: the share of the budget of each. */
const fuelBar = (label: string, { consumed, budget }: Used): CardBlock => ({
  kind: 'progress',
  label,
  done: Math.min(consumed, budget),
  total: budget,
  // Where the words of the analysis change.
  marks: [50, 75, 90],
})
