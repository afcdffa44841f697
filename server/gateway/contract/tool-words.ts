// An upstream tool in words: its title and description for who finds it, and what it answered for who confirmed it.
import { IconSchema, ToolExecutionSchema } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import type { CardBlock } from '../../model/card.ts'
import type { Contract, Success } from '../../tools/contract.ts'
import { showInvisible } from '../../cards/invisible-characters.ts'
import { withinLimits } from '../looks/within-limits.ts'
import { humanLabel } from '../profiles/human-label.ts'
import { withoutSecrets } from '../profiles/secret-arguments.ts'
import { wordsOf } from '../profiles/tool-profile.ts'
import type { ToolDefinition } from '../upstream/definitions/definition.ts'
import { isDryRun } from './is-dry-run.ts'
import type { UpstreamTool } from './upstream-contracts.ts'
import { isProven, whoServes } from './who-serves.ts'
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

/** What an answer holds beside text. */
export function restBlocks(result: RawResult): readonly CardBlock[] {
  const rest = restOf(result)
  return rest === '' ? [] : [{ kind: 'text', text: `It also answered with ${showInvisible(rest)}.` }]
}
