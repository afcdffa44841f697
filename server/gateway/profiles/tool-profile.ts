// What the profile of a server says of one of its tools, as the tool is defined now.
import { isAbsolute, resolve } from 'node:path'
import { valueAt } from '../../errors/pointer.ts'
import { operations, risks } from '../../model/risk.ts'
import type { Machine } from '../programs/git/machine.ts'
import { readProgram, type ProgramLanguage, type ProgramReading } from '../programs/read-program.ts'
import { pathOf, ruleHolds } from '../rules/condition.ts'
import type { Assessed } from '../rating/rating.ts'
import { shapeDigest } from './definition-shape.ts'
import type { ProfiledTool, ProfileRule, Profile } from './profile.schema.ts'
import type { PropertyTable } from './property-table.ts'
import { otherNameOf } from './spellings.ts'
import { fillTemplate } from './template.ts'
import type { ToolDefinition } from '../upstream/definitions/definition.ts'

type Program = NonNullable<ProfiledTool['program']>

/** A profile, and how far its word goes. */
export interface KnownServer {
  readonly profile: Profile
  /** The operator's own settings lead to it. Otherwise only the server's word does, and it lowers no rating (ADR 41). */
  readonly lowers: boolean
  /** By what it was found, as it follows "by": "its npm package notes-mcp". */
  readonly by: string
  /**
   * Where it surely runs on a Unix: whether the shell of its user, to which it gives its lines, is one of sh, bash, dash, ksh, zsh;
   * and `machine` where that Unix is this one, with its own folders.
   */
  readonly onUnix?: { readonly posixShell: boolean; readonly machine?: Machine | undefined } | undefined
  /** The names that its cheatsheet knows, read when they are first asked for. */
  readonly knownProperties?: (() => Promise<PropertyTable | undefined>) | undefined
}

/** The profile of a tool that is defined as it was when the profile was written. */
export interface ToolProfile extends ProfiledTool {
  /** The server's own name, as people know it. */
  readonly server: string
  readonly lowers: boolean
  readonly onUnix?: KnownServer['onUnix']
  readonly knownProperties?: KnownServer['knownProperties']
  /** What the server itself puts where an argument is left out, as its schema says. */
  readonly defaults?: Readonly<Record<string, unknown>>
}

/** Nothing where the profile does not have the tool, or was written for another definition of it. */
export function profileOf(known: KnownServer | undefined, definition: ToolDefinition): ToolProfile | undefined {
  if (known === undefined || !fits(known.profile, definition)) return undefined
  const tool = known.profile.tools[definition.name]
  if (tool === undefined) return undefined
  const { title: server } = known.profile
  const { lowers, onUnix, knownProperties } = known
  return { ...tool, server, lowers, onUnix, knownProperties, defaults: defaultsIn(definition.inputSchema) }
}

function defaultsIn({ properties }: ToolDefinition['inputSchema']): Readonly<Record<string, unknown>> {
  const given = Object.entries(Object(properties) as Readonly<Record<string, unknown>>)
  return Object.fromEntries(
    given.flatMap(([name, schema]) =>
      typeof schema === 'object' && schema !== null && 'default' in schema ? [[name, schema.default]] : [],
    ),
  )
}

const fits = ({ tested }: Profile, definition: ToolDefinition): boolean => {
  const digest = shapeDigest(definition)
  return tested.some(({ definitions }) => definitions[definition.name] === digest)
}

/** How a profile stands to the tools that its server has now. */
export interface ProfileFit {
  /** Tools that are defined otherwise than when it was written. */
  readonly changed: readonly string[]
  /** Tools that it does not have. */
  readonly unknown: readonly string[]
}

export function profileFit({ profile }: KnownServer, definitions: readonly ToolDefinition[]): ProfileFit {
  const has = ({ name }: ToolDefinition): boolean => Object.hasOwn(profile.tools, name)
  return {
    changed: definitions.filter((each) => has(each) && !fits(profile, each)).map(({ name }) => name),
    unknown: definitions.filter((each) => !has(each)).map(({ name }) => name),
  }
}

/** The first rule of a profile that holds for a call. */
const ruleFor = ({ when }: ToolProfile, args: unknown): ProfileRule | undefined =>
  when?.find((rule) => ruleHolds(rule, args))

/** The argument of a call that is a program: what the rule that holds says of it, else the tool. */
export const programOf = (tool: ToolProfile, args: unknown): Program | undefined =>
  ruleFor(tool, args)?.program ?? tool.program

/** Every program that a call of a tool may hold. */
export const programsOf = ({ program, when = [] }: Pick<ProfiledTool, 'program' | 'when'>): readonly Program[] =>
  [program, ...when.map((rule) => rule.program)].filter((each) => each !== undefined)

/** What a profile says of one call; where an argument is a program, what that says. */
export function ratedByProfile(tool: ToolProfile, args: unknown): Assessed {
  // A server's default may be another one by now, so what is left out counts both as left out and as what it stands for.
  const said =
    programIn(tool, tool.program, args) ??
    worseOf(byRules(tool, args), byRules(tool, { ...tool.defaults, ...Object(args) }))
  return said.operation === 'read' ? (repositoryRead(tool, args) ?? said) : said
}

function byRules(tool: ToolProfile, args: unknown): Assessed {
  const { when = [] } = tool
  // Which rule holds for the server nobody knows, so the worst of them counts.
  if (when.some((rule) => Object.keys(rule.if).some((place) => isAmbiguous(args, pathOf(place)))))
    return when.map((rule) => assessedAs(tool, rule)).reduce(worseOf, assessedAs(tool, tool))
  const rule = ruleFor(tool, args)
  return programIn(tool, rule?.program, args) ?? assessedAs(tool, rule ?? tool)
}

/** All that it can say of any call; the first is the worst where no rule holds. */
export const rangeByProfile = (tool: ToolProfile): readonly [Assessed, ...Assessed[]] => {
  // A program can do worse than the tool does as a rule, and it may only read.
  const worst = { operation: 'destructive', risk: 'critical' } as const
  const mayDo = ({ operation, risk, program }: Pick<ProfileRule, 'operation' | 'risk' | 'program'>) =>
    program === undefined
      ? [assessedAs(tool, { operation, risk })]
      : [worst, { operation, risk }, { operation: 'read' } as const].map((each) => assessedAs(tool, each))
  const [first = assessedAs(tool, tool), ...others] = mayDo({ ...tool, risk: tool.risk ?? 'low' })
  const mayAsk =
    tool.repository === undefined
      ? []
      : [configured(['What is configured in the folder may run with it, so it may be high.'])]
  return [first, ...others, ...(tool.when ?? []).flatMap(mayDo), ...mayAsk]
}

const configured = (reasons: readonly string[]): Assessed => ({
  risk: 'high',
  operation: 'write',
  reasons,
  onlyAnswers: true,
})

/** What becomes of a read in a folder in which git would run something, or nobody can look; nothing where it would not. */
function repositoryRead({ repository, onUnix }: ToolProfile, args: unknown): Assessed | undefined {
  const machine = onUnix?.machine
  if (repository === undefined) return undefined
  const named = asText(valueAt(args, pathOf(repository)))
  if (machine === undefined)
    return configured([
      `What git is configured to run in ${named.slice(0, 200)} could not be checked: as far as is known, its server does not run on this machine.`,
    ])
  // GitPython puts variables and the home folder in their place.
  const isPlain = !isAmbiguous(args, pathOf(repository)) && !/[$%~]|(?:^|\/)\.\.(?:\/|$)/.test(named)
  if (!isPlain || (machine.folder === undefined && !isAbsolute(named)))
    return configured([`Nobody knows which folder ${named.slice(0, 200)} is, and git runs what is configured there.`])
  const { objections, isGitFolder } = machine.look(resolve(machine.folder ?? '/', named))
  // GitPython works in the folder above it, which may hold another repository.
  if (isGitFolder)
    return configured([`${named.slice(0, 200)} is the inside of a repository: name the folder of its files.`])
  return objections.length === 0 ? undefined : configured(objections)
}

function programIn({ onUnix }: ToolProfile, program: Program | undefined, args: unknown): Assessed | undefined {
  if (program === undefined || isAmbiguous(args, pathOf(program.argument))) return undefined
  const value = valueAt(args, pathOf(program.argument))
  const language = program.language === 'shell' ? inItsShell(program, onUnix, args) : program
  if ('reasons' in language) return language
  // Each of a list runs by itself, so it is read by itself: read as one text, one could hide in the quotes of another.
  const texts = Array.isArray(value) ? (value as readonly unknown[]) : [value]
  const [first, ...others] = texts.map((text) => (typeof text === 'string' ? readProgram(language, text) : undefined))
  return others.reduce((worst, each) => worst && each && worseOf(worst, each), first)
}

const isAmbiguous = (args: unknown, path: readonly string[]): boolean => otherNameOf(args, path) !== undefined

const posixShell = /^(?:\/(?:usr\/(?:local\/)?|opt\/homebrew\/)?bin\/)?(?:ba|da|k|z)?sh$/

/**
 * The language that the shell of a call takes; what is no shell runs by itself, whatever the line says. Windows has a bash,
 * too, but hands it a command line, which it and the launcher of WSL cut up in ways of their own: what bash is given then
 * nobody knows, and a read has to be one everywhere.
 */
function inItsShell(
  { dialect, shell }: Program,
  onUnix: ToolProfile['onUnix'],
  args: unknown,
): ProgramLanguage | ProgramReading {
  const named = shell === undefined ? undefined : valueAt(args, pathOf(shell))
  const isPosix = named === undefined || posixShell.test(asText(named))
  const isSure = dialect === 'posix' || (named === undefined ? onUnix?.posixShell === true : onUnix !== undefined)
  if (isPosix && isSure) return { language: 'shell', dialect: 'posix', machine: onUnix?.machine }
  if (isPosix || /^(?:cmd|powershell|pwsh)(?:\.exe)?$/.test(asText(named))) return { language: 'shell' }
  const reason = `It is run by ${asText(named).slice(0, 100)}, which is no shell that is known here.`
  return { risk: 'high', operation: 'destructive', reasons: [reason] }
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

/** Both of two, as of two programs one after the other. */
const worseOf = (a: ProgramReading, b: ProgramReading): ProgramReading => {
  const higher = <T>(order: readonly T[], one: T, other: T): T =>
    order.indexOf(one) < order.indexOf(other) ? other : one
  return {
    risk: higher(risks, a.risk, b.risk),
    operation: higher(operations, a.operation, b.operation),
    reasons: [
      ...new Set(
        risks.indexOf(a.risk) < risks.indexOf(b.risk) ? [...b.reasons, ...a.reasons] : [...a.reasons, ...b.reasons],
      ),
    ],
  }
}

const does = { read: 'only reads', write: 'writes', destructive: 'overwrites or destroys' } as const

function assessedAs(
  { server }: ToolProfile,
  { operation, risk = 'low' }: Pick<ProfiledTool, 'operation' | 'risk'>,
): Assessed {
  const reason = `The profile of ${server} says that this call ${does[operation]}${risk === 'low' ? '' : ` and is ${risk}`}.`
  return { risk, operation, reasons: [reason] }
}

/** The words of a call on its card: those of the rule that holds before those of the tool. */
export interface CallWords {
  readonly title: string | undefined
  readonly confirm: string | undefined
  readonly done: string | undefined
  readonly target: string | undefined
  readonly effects: readonly string[]
}

/** How a call that only read is headed. Nothing where that is said of what the tool does otherwise, such as of a deletion. */
export function readWordsOf(tool: ToolProfile | undefined, args: unknown): Pick<CallWords, 'title' | 'target'> {
  const rule = tool && ruleFor(tool, args)
  const own = rule ?? tool
  const { title, target } = wordsOf(tool, args)
  return own?.operation === 'read' && own.title !== undefined
    ? { title, target }
    : { title: undefined, target: undefined }
}

export function wordsOf(tool: ToolProfile | undefined, args: unknown): CallWords {
  const rule = tool && ruleFor(tool, args)
  /** Nothing where all of it stands in brackets and none of its arguments is given. */
  const fill = (template: string | undefined): string | undefined =>
    (template === undefined ? '' : fillTemplate(template, args)) || undefined
  return {
    title: fill(rule?.title ?? tool?.title),
    confirm: fill(rule?.confirm ?? tool?.confirm),
    done: fill(tool?.done),
    target: fill(tool?.target),
    effects: (rule?.effects ?? tool?.effects ?? []).map((each) => fillTemplate(each, args)),
  }
}
