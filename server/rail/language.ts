// In which language the card of a call is written: the tool's own words, and ours around them.
import type { CallContext, ToolCall } from './call-context.ts'

/** Who reads. */
interface Reader extends Pick<CallContext, 'engine'> {
  readonly request: Pick<CallContext['request'], 'language'> & {
    readonly caller?: Pick<CallContext['request']['caller'], 'languages'> | undefined
  }
}

/** The language of tools that name none. */
export const usual: readonly string[] = ['en']

/** What the reader of a call wants, as subtags, most wanted first. */
export function wantedLanguages({ engine, request }: Reader): readonly string[] {
  const wanted =
    request.language === undefined
      ? [...(request.caller?.languages ?? []), ...engine.settings.languages]
      : [request.language]
  return wanted.map((tag) => tag.split(/[-_.]/)[0]?.toLowerCase() ?? '')
}

/**
 * Of the languages that the tool speaks the one that its reader wants most: by the request, then by the settings of the
 * server and the locale of its desktop. The tool's first one where nobody wants any of them.
 */
export function languageOf(call: Reader & Pick<ToolCall, 'tool'>): string {
  const { languages: spoken = usual } = call.tool.contract
  return wantedLanguages(call).find((subtag) => spoken.includes(subtag)) ?? spoken[0] ?? 'en'
}
