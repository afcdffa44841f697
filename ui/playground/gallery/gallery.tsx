// All cards at once, under every setting that a host may bring. The settings stand in the address, so that what somebody
// saw can be sent to somebody else.
import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { hostProfiles } from '../../../server/testing/host/profiles.ts'
import { SelectField } from '../../parts/select-field.tsx'
import { connect, type ViewResource } from '../connection/connection.ts'
import { showTheme } from '../chat/theme.ts'
import { TroubleNote } from '../chat/trouble-note.tsx'
import { troubleOf, type Trouble } from '../chat/trouble.ts'
import { createWireLog } from '../connection/wire.ts'
import { examples, type Example } from './examples.ts'
import { GalleryCard } from './gallery-card.tsx'
import { languages, readLook, timeZones, widths, writeLook, type Look } from './look.ts'

interface GalleryProps {
  readonly endpoint: URL
  readonly pageSecret: string
  readonly sandbox: string
}

const cardUri = 'ui://countersign/card.html'

const named = <T extends string>(all: readonly T[]): readonly (readonly [T, string])[] => all.map((one) => [one, one])

/** The page at `/playground/gallery`. */
export function Gallery({ endpoint, pageSecret, sandbox }: GalleryProps): VNode {
  const [look, setLook] = useState<Look>(() => readLook(location.hash))
  const [view, setView] = useState<ViewResource>()
  const [trouble, setTrouble] = useState<Trouble>()
  const failed = (error: unknown): void => setTrouble(troubleOf(error))
  useEffect(() => {
    connect({ endpoint, pageSecret, apps: true, wire: createWireLog(), locale: () => 'en' })
      .then((connection) => connection.view(cardUri))
      .then(setView, failed)
    const follow = () => setLook(readLook(location.hash))
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  useEffect(() => showTheme(look.theme === 'both' ? 'light' : look.theme, false), [look.theme])
  const change = (part: Partial<Look>) => {
    location.hash = writeLook({ ...look, ...part })
  }
  const shown = examples.filter(({ id }) => look.only === '' || look.only === id)
  const groups = [...new Set(shown.map(({ group }) => group))]
  const themes = look.theme === 'both' ? (['light', 'dark'] as const) : [look.theme]
  const profile = hostProfiles.find(({ name }) => name === look.profile) ?? hostProfiles[0]
  const draw = (example: Example): readonly VNode[] =>
    themes.map((theme) => (
      <GalleryCard
        key={`${example.id} ${theme} ${look.language} ${look.timeZone} ${look.width} ${profile.name}`}
        example={example}
        view={view as ViewResource}
        sandbox={sandbox}
        profile={profile}
        theme={theme}
        locale={look.language}
        timeZone={look.timeZone}
        width={look.width}
      />
    ))
  return (
    <div class="gallery">
      <header class="top">
        <p class="brand">
          <b>Countersign</b> <span>Gallery</span>
        </p>
        <a href="/playground">Playground</a>
        {look.only !== '' && (
          <button type="button" class="quiet" onClick={() => change({ only: '' })}>
            Show all
          </button>
        )}
        <div class="looks">
          <SelectField
            label="Theme"
            value={look.theme}
            options={named(['light', 'dark', 'both'] as const)}
            onPick={(theme) => change({ theme })}
          />
          <SelectField
            label="Language"
            value={look.language}
            options={named(languages)}
            onPick={(language) => change({ language })}
          />
          <SelectField
            label="Time zone"
            value={look.timeZone}
            options={named(timeZones)}
            onPick={(timeZone) => change({ timeZone })}
          />
          <SelectField
            label="Width"
            value={String(look.width)}
            options={named(widths.map(String))}
            onPick={(width) => change({ width: Number(width) })}
          />
          <SelectField
            label="Host"
            value={profile.name}
            options={hostProfiles.map(({ name, title }) => [name, title] as const)}
            onPick={(name) => change({ profile: name })}
          />
        </div>
      </header>
      <main>
        <p class="minor">
          This host {profile.does}. {profile.card}
        </p>
        {trouble !== undefined && <TroubleNote trouble={trouble} />}
        {view !== undefined &&
          groups.map((group) => (
            <section key={group} aria-label={group}>
              <h2>{group}</h2>
              <div class="examples">{shown.filter((one) => one.group === group).flatMap(draw)}</div>
            </section>
          ))}
      </main>
    </div>
  )
}
