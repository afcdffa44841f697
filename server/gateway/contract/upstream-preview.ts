// What a person sees before somebody else's tool runs. We do not know what it does; we know exactly what will be sent, to
// whom, what the server says of itself, and why this call is asked about at all. Only that is said.
import type { CardBlock } from '../../model/card.ts'
import { pathLabel } from '../../cards/path-label.ts'
import type { Preview } from '../../tools/contract.ts'
import type { Risk } from '../../model/risk.ts'
import { markedAs, rightVariant } from '../call-tools/call-with.ts'
import { toPointer, valueAt } from '../../errors/pointer.ts'
import { pathOf } from '../rules/condition.ts'
import { showInvisibleInLines } from '../../cards/invisible-characters.ts'
import type { ToolDefinition } from '../upstream/definitions/definition.ts'
import { dryRunBlocks } from './dry-run.ts'
import { isDryRun } from './is-dry-run.ts'
import type { Assessed } from '../rating/rating.ts'
import type { UpstreamTool } from './upstream-contracts.ts'
import { sentFields, undeclared } from './argument-blocks.ts'
import type { ReadBefore } from '../profiles/before.ts'
import { dangersIn, harmIn, type ProgramLanguage } from '../programs/read-program.ts'
import { programArguments } from '../rating/program-arguments.ts'
import { ifShell, lineIn } from '../rating/shell-arguments.ts'
import type { ShownProgram } from '../looks/looks.ts'
import { beforeBlocks } from '../profiles/before-blocks.ts'
import { rowWords } from '../profiles/rows.ts'
import type { UnknownNames } from '../profiles/unknown-properties.ts'
import { withoutSecrets } from '../profiles/secret-arguments.ts'
import { argumentBlocks } from '../profiles/shown-arguments.ts'
import { programOf, wordsOf } from '../profiles/tool-profile.ts'
import { headOf, repeatsOf, titleOf } from './tool-words.ts'
import { iconOf, isProven, serverFields, unprovenBlock } from './who-serves.ts'
import type { RawResult } from '../upstream/upstream.ts'

interface PreviewFacts {
  readonly tool: UpstreamTool
  readonly input: Readonly<Record<string, unknown>>
  readonly assessed: Assessed
  /** Whether the card's source names its server: behind `wrap` there is no other. */
  readonly named: boolean
  /** Whether the call tool that the agent took runs nothing above low. */
  readonly closed: boolean
  readonly dryRun: RawResult | undefined
  /** What was read at its server before. */
  readonly readsBefore: readonly ReadBefore[]
  /** What the cheatsheet of its server does not know of its arguments. */
  readonly unknown: readonly UnknownNames[]
  /** Further blocks, such as what similar calls did before. */
  readonly more: readonly CardBlock[]
}

/** The card of one call before anybody has agreed to it. */
export function upstreamPreview(facts: PreviewFacts): Preview {
  const { tool, assessed, dryRun } = facts
  const { upstream, definition } = tool
  const input = withoutSecrets(facts.input, tool.profile?.show)
  const count = Object.keys(input).length
  const rows = facts.readsBefore.find((each) => each.kind === 'rows')
  const words = { ...wordsOf(tool.profile, input), ...(rows && rowWords(rows.found)) }
  const found = beforeBlocks(facts.readsBefore, input)
  const said = new Set([...found.shown, ...saidAbove(input, words.target)])
  const icon = iconOf(tool)
  return {
    ...(icon === undefined ? {} : { icon }),
    ...headOf(tool, words, facts.named),
    summary: `Calls ${definition.name} of ${upstream.name} with ${count} ${count === 1 ? 'argument' : 'arguments'}.`,
    blocks: [
      ...unprovenBlock(tool),
      ...(tool.profile === undefined ? [markBlock(definition)] : []),
      ...programBlock(facts),
      ...found.blocks,
      ...(dryRun === undefined
        ? argumentBlocks(input, definition.inputSchema, tool.profile?.show, said, languagesOf(tool, input))
        : dryRunBlocks(dryRun)),
      ...facts.more,
      ...detailBlocks(facts),
    ],
    warnings: warningsOf(facts),
    effects: [...programEffects(facts), ...words.effects, effectOf(facts)],
    // What is signed is the call; what another server would do with it is no promise of this one.
    confirmLabel: (isProven(tool) ? words.confirm : undefined) ?? `Run ${definition.name}`,
    ...(assessed.risk === 'critical'
      ? { confirmPhrase: rows === undefined ? phraseOf(tool) : String(rows.found.hit) }
      : {}),
    ...(facts.closed && assessed.risk !== 'low' ? { blocked: wrongVariant(facts) } : {}),
    details: {
      server: upstream.name,
      server_identity: upstream.identity() ?? null,
      annotations: definition.annotations ?? null,
      risk_reasons: assessed.reasons,
      dry_run: dryRun !== undefined,
      findings: tool.findings,
    },
  }
}

/** Arguments that the subtitle shows as they are. Only of a path or an address does one see without a label what it is. */
const saidAbove = (input: PreviewFacts['input'], target: string | undefined): readonly string[] =>
  target === undefined || !/[/\\]/.test(target) ? [] : Object.keys(input).filter((name) => input[name] === target)

/** What of a call is a program: as its profile says, or as its own words do. */
function programsIn(
  { profile, definition }: UpstreamTool,
  input: PreviewFacts['input'],
): readonly (ProgramLanguage & { readonly argument: string })[] {
  if (profile !== undefined) return [programOf(profile, input)].filter((each) => each !== undefined)
  return unprofiledPrograms(definition).map(({ path, ...program }) => ({ ...program, argument: toPointer(path) }))
}

const unprofiledPrograms = (definition: ToolDefinition) =>
  programArguments(definition).filter(({ path }) => !path.includes('*'))

/** The programs of a call, with what of each is dangerous. */
export const programsOf = (tool: UpstreamTool, input: PreviewFacts['input']): readonly ShownProgram[] =>
  programsIn(tool, input).flatMap((program) => {
    const value = valueAt(input, pathOf(program.argument))
    const texts = (Array.isArray(value) ? value : [value]).filter((text): text is string => typeof text === 'string')
    const dialect = program.dialect === 'posix' ? undefined : program.dialect
    return texts.map((text) => ({ text, dialect, dangers: dangersIn(program, text) }))
  })

/** The languages of programs that no profile shows, by the names of their places. */
const languagesOf = (tool: UpstreamTool, input: PreviewFacts['input']): ReadonlyMap<string, string> =>
  new Map(
    tool.profile === undefined
      ? programsIn(tool, input).map(({ argument, language }) => [pathLabel(pathOf(argument)), language])
      : [],
  )

/** What is said of the program of a call, the worst first; nothing where it has none, or nothing is known of it. */
function saidOfProgram({ tool: { profile, definition }, input, assessed }: PreviewFacts): Said | undefined {
  const program = profile && programOf(profile, input)
  const value = program && valueAt(input, pathOf(program.argument))
  if (profile !== undefined) return typeof value === 'string' || Array.isArray(value) ? assessed : undefined
  const found = unprofiledPrograms(definition).flatMap(({ path, isSure, ...language }): readonly Said[] => {
    const text = language.language === 'shell' ? lineIn(input, path) : valueAt(input, path)
    const harm = typeof text === 'string' ? harmIn(language, text) : undefined
    if (harm === undefined) return []
    return [isSure ? harm : { ...harm, reasons: harm.reasons.map((each) => `${ifShell} ${each}`) }]
  })
  return found.find(({ risk }) => risk === 'critical') ?? found[0]
}

type Said = Pick<Assessed, 'risk' | 'reasons'>

/** The worst that a program does, where no rows were counted that say it better. */
function programBlock(facts: PreviewFacts): readonly CardBlock[] {
  const said = saidOfProgram(facts)
  const [worst] = said?.reasons ?? []
  if (worst === undefined || facts.readsBefore.some(({ kind }) => kind === 'rows')) return []
  return [{ kind: 'alert', severity: said?.risk === 'critical' ? 'danger' : 'warning', title: worst }]
}

/** What a program does beside the worst, which heads the card; all of it where rows were counted instead. */
const programEffects = (facts: PreviewFacts): readonly string[] =>
  (saidOfProgram(facts)?.reasons ?? []).slice(facts.readsBefore.some(({ kind }) => kind === 'rows') ? 0 : 1)

/** What is typed before a critical call: the tool's name as the card shows it, or the server's where nobody can type it. */
const phraseOf = ({ definition, upstream }: UpstreamTool): string =>
  /^[\w.:/-]{1,64}$/.test(definition.name) ? definition.name : upstream.name

const marks: Readonly<Record<ReturnType<typeof markedAs>, string>> = {
  destructive: 'The server marks this as destructive.',
  'read-only': 'The server marks this as read-only.',
  neither: 'The server marks this as a write that destroys nothing.',
  nothing: 'The server does not say what this does.',
}

/** What the server's annotations say, in one sentence. */
function markBlock({ annotations }: ToolDefinition): CardBlock {
  const marked = markedAs(annotations)
  const title =
    annotations?.readOnlyHint === false && marked === 'nothing'
      ? 'The server marks this as a write, and does not say whether it destroys.'
      : marks[marked]
  return { kind: 'alert', severity: marked === 'destructive' ? 'warning' : 'info', title }
}

function detailBlocks(facts: PreviewFacts): readonly CardBlock[] {
  const { assessed, dryRun } = facts
  const { upstream, definition, profile } = facts.tool
  const input = withoutSecrets(facts.input, profile?.show)
  const text = (value: string) => ({ kind: 'text', text: value }) as const
  const title = titleOf(definition)
  const whole = showInvisibleInLines((definition.description ?? '').trim())
  const description = whole.slice(0, mostDescription)
  const cut = description === whole ? '' : ` (the first ${mostDescription} of ${whole.length} characters)`
  return [
    ...(dryRun === undefined
      ? []
      : [
          {
            kind: 'details',
            summary: 'What will be sent',
            applied: true,
            fields: sentFields(input, definition.inputSchema),
          } as const,
        ]),
    {
      kind: 'details',
      summary: 'The server and the tool',
      applied: false,
      fields: [
        ...serverFields(facts.tool).map(([label, said]) => ({ label, value: text(said) })),
        { label: 'Tool', value: text(definition.name) },
        ...(title === definition.name ? [] : [{ label: 'The server calls it', value: text(title) }]),
        { label: 'Annotations', value: { kind: 'code', text: JSON.stringify(definition.annotations ?? {}) } },
        { label: `Why ${assessed.risk}`, value: text(assessed.reasons.join(' ')) },
      ],
    },
    ...(description === ''
      ? []
      : [
          {
            kind: 'details',
            summary: `What ${upstream.name} says of ${definition.name}${cut}`,
            applied: false,
            fields: [],
            text: description,
            // Its Markdown is laid out with the rest (`withLooks`).
            spans: [],
          } as const,
        ]),
  ]
}

/** Characters of a description that a card shows; a longer one is for models. */
const mostDescription = 4000

function warningsOf(facts: PreviewFacts): NonNullable<Preview['warnings']> {
  const { tool, input } = facts
  const { definition, findings, check } = tool
  const warnings: { readonly title: string; readonly text: string }[] = []
  if (tool.dryRun !== undefined && isDryRun(tool, input))
    warnings.push({
      title: 'This call is a dry run itself.',
      text: `Its argument ${pathLabel([tool.dryRun.parameter])} says ${JSON.stringify(tool.dryRun.value)}, or leaves that to its default: the tool only says what it would do, after Confirm as well.`,
    })
  if (findings.length > 0)
    warnings.push({
      title: 'The description of this tool looks suspicious.',
      text: findings.map((finding) => `${finding.pointer}: ${finding.text}`).join(' '),
    })
  const unknown = undeclared(input, definition.inputSchema).map((name) => pathLabel([name]))
  if (unknown.length > 0)
    warnings.push({
      title: `The tool does not name ${unknown.join(', ')}.`,
      text: 'Its server may ignore it without a word.',
    })
  warnings.push(...facts.unknown)
  const { unchecked } = check(input)
  if (unchecked !== undefined) warnings.push({ title: 'The arguments could not be checked.', text: unchecked })
  return warnings
}

function effectOf({ tool, dryRun, input }: PreviewFacts): string {
  const { upstream } = tool
  const repeat = repeatWords[repeatsOf(tool)]
  return dryRun === undefined || isDryRun(tool, input)
    ? `It is sent to ${upstream.name} once; sent again, ${repeat}.`
    : `${upstream.name} does for real what its dry run showed; sent again, ${repeat}.`
}

const repeatWords: Readonly<Record<ReturnType<typeof repeatsOf>, string>> = {
  harmless: 'it changes nothing more',
  again: 'it happens again',
  'said harmless': 'it changes nothing more, as the server says',
  unknown: 'it may happen again',
}

const risks: Readonly<Record<Risk, string>> = {
  low: 'of low risk',
  medium: 'of medium risk',
  high: 'of high risk',
  critical: 'critical',
  forbidden: 'forbidden',
}

function wrongVariant({ tool, assessed }: PreviewFacts): NonNullable<Preview['blocked']> {
  return {
    title: `call_tool_read does not run this: ${tool.definition.name} is ${risks[assessed.risk]}.`,
    text: `${assessed.reasons.join(' ')} Call ${rightVariant(tool.callWith, assessed.operation)} with name "${tool.name}" and the same arguments.`,
  }
}
