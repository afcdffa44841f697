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

/** By the request, then by the settings and the locale of the desktop; a desktop's are written as POSIX has them. */
const asked = ({ engine, request }: Reader): readonly string[] =>
  request.language === undefined
    ? [...(request.caller?.languages ?? []), ...engine.settings.languages]
    : [request.language]

/** What the reader of a call wants, as subtags, most wanted first. */
export const wantedLanguages = (reader: Reader): readonly string[] =>
  asked(reader).map((tag) => tag.split(/[-_.]/)[0]?.toLowerCase() ?? '')

/** What the reader of a call wants, as tags of BCP 47, most wanted first and each once. */
export const localesOf = (reader: Reader): readonly string[] => [
  ...new Set(asked(reader).flatMap((tag) => localeIn(tag) ?? [])),
]

/** "pt-BR" of "pt_BR.UTF-8"; nothing of "C" and "POSIX", which name no language. */
function localeIn(tag: string): string | undefined {
  const name = (/^[\w-]+/.exec(tag)?.[0] ?? '').replaceAll('_', '-')
  // The locale of most servers is "C.UTF-8". An exception for it in each call would cost a tenth of a millisecond.
  if (/^(?:c|posix|root|und)?(?:$|-)/i.test(name)) return undefined
  try {
    return Intl.getCanonicalLocales(name)[0]
  } catch {
    return undefined
  }
}

/**
 * Of the languages that the tool speaks the one that its reader wants most: by the request, then by the settings of the
 * server and the locale of its desktop. The tool's first one where nobody wants any of them.
 */
export function languageOf(call: Reader & Pick<ToolCall, 'tool'>): string {
  const { languages: spoken = usual } = call.tool.contract
  return wantedLanguages(call).find((subtag) => spoken.includes(subtag)) ?? spoken[0] ?? 'en'
}
