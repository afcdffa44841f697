// What a person sets once for all sessions. The model's key is the one thing that must not outlive the tab.

export interface Settings {
  /** BCP 47; the browser's own when empty. */
  readonly language: string
  /** IANA; the browser's own when empty. */
  readonly timeZone: string
  /** Cards as wide as on a telephone. */
  readonly phone: boolean
  readonly model: ModelSettings
}

export interface ModelSettings {
  /** `script`: no model at all. */
  readonly kind: 'script' | 'openai' | 'anthropic'
  /** As the maker's documentation gives it: `https://api.openai.com/v1`, `https://api.anthropic.com`. */
  readonly baseUrl: string
  readonly name: string
  readonly apiKey: string
}

const standard: Settings = {
  language: '',
  timeZone: '',
  phone: false,
  model: { kind: 'script', baseUrl: '', name: '', apiKey: '' },
}

const key = 'countersign.playground.settings.1'
const secretKey = 'countersign.playground.model-key'

/** Reads the settings; what is damaged is as usual. */
export function loadSettings(kept: Storage, ofTab: Storage): Settings {
  try {
    const given = JSON.parse(kept.getItem(key) ?? '{}') as Partial<Settings>
    const model = { ...standard.model, ...given.model, apiKey: ofTab.getItem(secretKey) ?? '' }
    return { ...standard, ...given, model }
  } catch {
    return standard
  }
}

export function saveSettings(kept: Storage, ofTab: Storage, settings: Settings): void {
  const { apiKey, ...model } = settings.model
  kept.setItem(key, JSON.stringify({ ...settings, model }))
  ofTab.setItem(secretKey, apiKey)
}

/** Whether `Intl` knows it. */
export function isLanguage(text: string): boolean {
  try {
    return text === '' || Intl.getCanonicalLocales(text).length === 1
  } catch {
    return false
  }
}
