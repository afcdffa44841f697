// In which language the card of a call is written: the tool's own words, and ours around them.
import type { ToolCall } from './call-context.ts'

/** The language of tools that name none. */
const usual: readonly string[] = ['en']

/**
 * Of the languages that the tool speaks the one that its reader wants most: by the request, then by the settings of the
 * server and the locale of its desktop. The tool's first one where nobody wants any of them.
 */
export function languageOf({ engine, request, tool }: Pick<ToolCall, 'engine' | 'request' | 'tool'>): string {
  const { languages: spoken = usual } = tool.contract
  const wanted =
    request.language === undefined
      ? [...(request.caller.languages ?? []), ...engine.settings.languages]
      : [request.language]
  const subtags = wanted.map((tag) => tag.split(/[-_.]/)[0]?.toLowerCase() ?? '')
  return subtags.find((subtag) => spoken.includes(subtag)) ?? spoken[0] ?? 'en'
}
