// An upstream tool in words: its title and description for who finds it, and what it answered for who confirmed it.
import { IconSchema, ToolExecutionSchema } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import type { CardBlock } from '../../model/card.ts'
import { riskWords } from '../../model/risk.ts'
import type { Contract, Success } from '../../tools/contract.ts'
import { riskAtMost } from '../../tools/define-tool.ts'
import { showInvisible } from '../../cards/invisible-characters.ts'
import { withinLimits } from '../looks/within-limits.ts'
import { humanLabel } from '../../tools/human-label.ts'
import { withoutSecrets } from '../profiles/secret-arguments.ts'
import { argumentBlocks } from '../profiles/shown-arguments.ts'
import { readWordsOf, wordsOf, type CallWords } from '../profiles/tool-profile.ts'
import { riskOfTool } from '../rating/assess.ts'
import type { ToolDefinition } from '../upstream/definitions/definition.ts'
import { isDryRun } from './is-dry-run.ts'
import type { UpstreamTool } from './upstream-contracts.ts'
import { isProven, whoServes } from './who-serves.ts'
import { questionOf } from './why-not-read.ts'
import { readableOf, restOf } from '../upstream/connection/upstream-call.ts'
import type { RawResult, Upstream } from '../upstream/upstream.ts'

/** Its title as people read it, in the order of the specification; its name where it has none. */
export const titleOf = ({ annotations, title, name }: ToolDefinition): string => {
  const given = showInvisible((title ?? annotations?.title ?? '').trim()).slice(0, 100)
  return given === '' ? name : given
}

/** Longer names are sentences, which could pass for ours. */
const mostWords = 5

/**
 * Its name in words, "Publish board" of `publish_board`; nothing where that is no name in words. The title that its server
 * gives counts only for how the same words are written: with others, a deletion could be called a read.
 */
export function nameInWords(definition: ToolDefinition): string | undefined {
  const letters = (text: string): string => text.toLowerCase().replace(/[^a-z\d]/g, '')
  const { name } = definition
  const title = titleOf(definition)
  const isSame = /^[\w :-]+$/.test(title) && title.includes(' ') && letters(title) === letters(name)
  const words = isSame ? title : humanLabel(name)
  return letters(words) === '' || words.split(' ').length > mostWords ? undefined : words
}

const ofViews = /^ui(\/|$)/
const ofOurs = 'countersign/'

/**
 * What the listing repeats of the definition beside what we say ourselves: its `_meta`, icons and execution. What points to a view
 * is not among it: that is re-addressed, or hidden, elsewhere. Icons that are none would make a client drop the list.
 */
export function listedOf({ _meta: meta, raw }: ToolDefinition): NonNullable<Contract['listed']> {
  const kept = Object.entries(meta ?? {}).filter(
    ([key, value]) =>
      !key.startsWith(ofOurs) && !ofViews.test(key) && !(typeof value === 'string' && value.startsWith('ui://')),
  )
  const icons = IconSchema.array().min(1).safeParse(raw['icons'])
  const execution = executionOf(raw['execution'])
  return {
    meta: Object.fromEntries(kept),
    ...(icons.success ? { icons: icons.data } : {}),
    ...(execution === undefined ? {} : { execution }),
  }
}

/**
 * How a call is executed, as the server says it, but for tasks: they are not passed on (docs/adr/0040), so no client is told
 * that it may, or must, call as a task.
 */
function executionOf(given: unknown): Readonly<Record<string, unknown>> | undefined {
  const read = z.looseObject(ToolExecutionSchema.shape).safeParse(given)
  if (!read.success) return undefined
  return { ...read.data, ...(read.data.taskSupport === undefined ? {} : { taskSupport: 'forbidden' }) }
}

/** What its server says of it. */
export const describe = (definition: ToolDefinition, upstream: Upstream): string => {
  const given = (definition.description ?? '').trim()
  return given === '' ? `${definition.name} of ${upstream.name}. Its server does not describe it.` : given
}

/** What the same call does a second time. That it is harmless counts only of a server that is known to be the one (ADR 41). */
export const repeatsOf = ({
  definition,
  profile,
}: Pick<UpstreamTool, 'definition' | 'profile'>): 'harmless' | 'again' | 'said harmless' | 'unknown' => {
  if (profile?.repeats === 'again') return 'again'
  if (profile?.repeats === 'harmless' && profile.lowers) return 'harmless'
  return definition.annotations?.idempotentHint === true ? 'said harmless' : 'unknown'
}

/** Its risk as people read it in a list. */
export function riskWordsOf(tool: UpstreamTool): string {
  const risk = riskOfTool(questionOf(tool, tool.callWith))
  return riskWords(riskAtMost(risk), typeof risk !== 'string')
}

/** The card of a call that ran. `named`: the card says elsewhere what the settings call the server. */
export function successOf(tool: UpstreamTool, input: unknown, result: RawResult, named: boolean): Success {
  const data = readableOf(result)
  const shown = withoutSecrets(Object(input), tool.profile?.show)
  const done = isProven(tool) ? wordsOf(tool.profile, shown).done : undefined
  const title = done ?? `${tool.definition.name} ran on ${tool.upstream.name}`
  const isDry = isDryRun(tool, input)
  // Words of a profile say what was done, and not where.
  const who = done === undefined || isDry ? undefined : whoServes(tool, named)
  return {
    title: isDry ? `${tool.definition.name} ran on ${tool.upstream.name}, as a dry run` : title,
    ...(who === undefined ? {} : { subtitle: who }),
    blocks: withinLimits([
      ...(data === '' ? [] : [{ kind: 'code', label: 'The server answered', text: data } as const]),
      ...restBlocks(result),
    ]),
  }
}

/** How the card of a call is headed: by the words of its profile, else by the tool's name. `named`: as of `successOf`. */
export function headOf(
  tool: UpstreamTool,
  { title, target }: Pick<CallWords, 'title' | 'target'>,
  named: boolean,
): Pick<Success, 'title' | 'subtitle'> {
  const { definition, upstream } = tool
  const words = title === undefined ? nameInWords(definition) : undefined
  // What its title says in other letters stands there as it is.
  const own = words === undefined ? undefined : `\`${definition.name}\``
  const who = whoServes(tool, named || title === undefined)
  const subtitle = [own, target, who].filter((part) => part !== undefined).join(' · ')
  return {
    title: title ?? `${words ?? `Run ${definition.name}`} on ${upstream.name}`,
    ...(subtitle === '' ? {} : { subtitle }),
  }
}

/** The card of a call that only read: what was asked, and what came back. `named`: as of `successOf`. */
export function readOf(tool: UpstreamTool, input: unknown, result: RawResult, named: boolean): Success {
  const known = isProven(tool) ? tool.profile : undefined
  const shown = withoutSecrets(Object(input), tool.profile?.show)
  const data = readableOf(result)
  return {
    ...headOf(tool, readWordsOf(known, shown), named),
    blocks: withinLimits([
      ...(result.isError === true
        ? [{ kind: 'alert', severity: 'danger', title: 'The server says that it failed.' } as const]
        : []),
      ...argumentBlocks(shown, tool.definition.inputSchema, known?.show),
      ...(data === '' ? [] : [answerBlock(data)]),
      ...restBlocks(result),
      { kind: 'effects', effects: ['Rated as a read, so it ran without asking.'] },
    ]),
  }
}

/** A long answer is folded, and its end left out: whoever reads on has it in the chat. */
function answerBlock(data: string): CardBlock {
  const lines = data.split('\n').length
  if (data.length <= 2_000 && lines <= 30) return { kind: 'code', label: 'The server answered', text: data }
  const text = data.slice(0, mostAnswer).toWellFormed()
  const size = `${data.length.toLocaleString('en')} characters`
  const of = text.length < data.length ? `the first ${mostAnswer.toLocaleString('en')} of ${size}` : size
  const spans = [{ from: 0, to: text.length, as: 'code' } as const]
  return { kind: 'details', summary: `The server answered (${of})`, applied: false, fields: [], text, spans }
}

/** Characters of an answer that the card of a read shows. */
const mostAnswer = 20_000

/** What an answer holds beside text. */
export function restBlocks(result: RawResult): readonly CardBlock[] {
  const rest = restOf(result)
  return rest === '' ? [] : [{ kind: 'text', text: `It also answered with ${showInvisible(rest)}.` }]
}
