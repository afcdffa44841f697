// An upstream tool in words: its title and description for who finds it, and what it answered for who confirmed it.
import type { Success } from '../tools/contract.ts'
import { visible } from './definition-diff.ts'
import type { ToolDefinition } from './definition.ts'
import { restOf, textOf } from './upstream-call.ts'
import type { RawResult, Upstream } from './upstream.ts'

/** Its title as people read it; its name where it has none. */
export const titleOf = ({ annotations, title, name }: ToolDefinition): string => {
  const given = visible((annotations?.title ?? title ?? '').trim()).slice(0, 100)
  return given === '' ? name : given
}

/** What its server says of it. */
export const describe = (definition: ToolDefinition, upstream: Upstream): string => {
  const given = (definition.description ?? '').trim()
  return given === '' ? `${definition.name} of ${upstream.name}. Its server does not describe it.` : given
}

/** The card of a call that ran. */
export function successOf(definition: ToolDefinition, upstream: Upstream, result: RawResult): Success {
  const text = textOf(result).trim()
  const rest = restOf(result)
  const data =
    text === '' && result.structuredContent !== undefined ? JSON.stringify(result.structuredContent, null, 2) : text
  return {
    title: `${definition.name} ran on ${upstream.name}`,
    blocks: [
      ...(data === '' ? [] : [{ kind: 'code', label: 'The server answered', text: data } as const]),
      ...(rest === '' ? [] : [{ kind: 'text', text: `It also answered with ${visible(rest)}.` } as const]),
    ],
  }
}
