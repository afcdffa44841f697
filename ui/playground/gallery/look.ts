// The gallery's settings, as they stand in the address.
import { hostProfiles } from '../../../server/testing/host/profiles.ts'

export interface Look {
  readonly theme: 'light' | 'dark' | 'both'
  readonly language: string
  readonly timeZone: string
  readonly width: number
  readonly profile: string
  /** Id of the one example to show; all when empty. */
  readonly only: string
}

/** Those that the card speaks itself, and one that it does not. */
export const languages: readonly string[] = ['en-GB', 'de-DE', 'fr-FR', 'es-ES', 'ja-JP', 'ar-EG', 'pt-BR', 'tlh']
export const timeZones: readonly string[] = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Tokyo']
export const widths: readonly number[] = [320, 480, 720]

const standard: Look = {
  theme: 'light',
  language: 'en-GB',
  timeZone: 'UTC',
  width: 480,
  profile: hostProfiles[0].name,
  only: '',
}

const pick = <T>(all: readonly T[], given: unknown, otherwise: T): T => all.find((one) => one === given) ?? otherwise

/** Reads the part of the address after `#`. What makes no sense is as if it were not there. */
export function readLook(hash: string): Look {
  const given = new URLSearchParams(hash.replace(/^#/, ''))
  return {
    theme: pick(['light', 'dark', 'both'] as const, given.get('theme'), standard.theme),
    language: pick(languages, given.get('language'), standard.language),
    timeZone: pick(timeZones, given.get('timeZone'), standard.timeZone),
    width: pick(widths, Number(given.get('width')), standard.width),
    profile: pick(
      hostProfiles.map(({ name }) => name),
      given.get('profile'),
      standard.profile,
    ),
    only: given.get('only') ?? '',
  }
}

/** The other way round; what is as usual is left out. */
export const writeLook = (look: Look): string =>
  new URLSearchParams(
    Object.entries(look)
      .filter(([name, value]) => value !== standard[name as keyof Look])
      .map(([name, value]): [string, string] => [name, String(value)]),
  ).toString()
