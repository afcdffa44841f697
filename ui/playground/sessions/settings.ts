// What a person sets once for all sessions.

export interface Settings {
  /** BCP 47; the browser's own when empty. */
  readonly language: string
  /** IANA; the browser's own when empty. */
  readonly timeZone: string
  /** Cards as wide as on a telephone. */
  readonly phone: boolean
}

/** The panel's id in the page, by which its buttons name it. */
export const settingsId = 'settings'

const standard: Settings = { language: '', timeZone: '', phone: false }

const key = 'countersign.playground.settings.1'

/** Reads the settings; the standard ones where they cannot be read. */
export function loadSettings(storage: Storage): Settings {
  try {
    const kept = JSON.parse(storage.getItem(key) ?? '{}') as Partial<Settings>
    // What an earlier version kept besides is not kept on.
    const { language, timeZone, phone } = { ...standard, ...kept }
    return { language, timeZone, phone }
  } catch {
    return standard
  }
}

export const saveSettings = (storage: Storage, settings: Settings): void =>
  storage.setItem(key, JSON.stringify(settings))

/** Whether `Intl` knows it. */
export function isLanguage(text: string): boolean {
  try {
    return text === '' || Intl.getCanonicalLocales(text).length === 1
  } catch {
    return false
  }
}
