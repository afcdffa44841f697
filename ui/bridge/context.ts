// A host's context is advice, and some of it is wrong: a locale that `Intl` refuses would throw in every formatter, a
// style value could be anything. Only what can be used gets through, so that nobody further in has to ask again.
import type { HostContext } from './host.ts'
import { validLocale } from './locale.ts'
import { isRecord } from './record.ts'

const timeZone = (value: unknown): string | undefined => {
  if (typeof value !== 'string') return undefined
  try {
    Intl.DateTimeFormat('en', { timeZone: value })
    return value
  } catch {
    return undefined
  }
}

/**
 * Properties that MCP Apps gives to hosts only (McpUiStyleVariableKey), for among others are those by which the view knows what
 * confirms and what deletes; and none that could reach the network (nor hide that it does, behind a backslash), whatever the frame's policy says.
 */
const variables = (styles: unknown): Record<string, string> => {
  const given = isRecord(styles) && isRecord(styles['variables']) ? styles['variables'] : {}
  return Object.fromEntries(
    Object.entries(given).filter(
      (entry): entry is [string, string] =>
        /^--(?:color|font|border|shadow)-[\w-]+$/.test(entry[0]) &&
        typeof entry[1] === 'string' &&
        entry[1].trim() !== '' &&
        !/url\(|image-set\(|\\/i.test(entry[1]),
    ),
  )
}

/** Merges a partial context of the host's into what is known; fields that make no sense are left as they were. */
export const mergeContext = (known: HostContext, news: unknown): HostContext => {
  if (!isRecord(news)) return known
  return {
    variables: { ...known.variables, ...variables(news['styles']) },
    theme: news['theme'] === 'light' || news['theme'] === 'dark' ? news['theme'] : known.theme,
    locale: validLocale(news['locale']) ?? known.locale,
    timeZone: timeZone(news['timeZone']) ?? known.timeZone,
  }
}
