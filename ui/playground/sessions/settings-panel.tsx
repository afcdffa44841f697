import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { hostProfiles, type HostProfile } from '../../../server/testing/host/profiles.ts'
import { SelectField } from '../../parts/select-field.tsx'
import { profileOf, type Session } from './session.ts'
import { isLanguage, settingsId, type Settings } from './settings.ts'
import { PageLinks, type LinkedPage } from '../chat/header.tsx'
import { useDismiss } from '../chat/use-dismiss.ts'

interface SettingsPanelProps {
  readonly session: Session
  readonly settings: Settings
  readonly onSession: (change: Partial<Session>) => void
  readonly onSettings: (change: Partial<Settings>) => void
  readonly pages: readonly LinkedPage[]
  /** Another conversation beside this one, with a server and a host of its own. */
  readonly onNewSession: () => void
  readonly onClose: () => void
}

/** Which server, which kind of host, and the reader's language, time zone and screen. */
export function SettingsPanel(props: SettingsPanelProps): VNode {
  const { session, settings, onSession, onSettings, pages, onNewSession, onClose } = props
  useDismiss(settingsId, onClose)
  return (
    <section class="drop settings" id={settingsId} aria-label="Settings">
      <ServerField session={session} onSession={onSession} />
      <SelectField
        label="Host"
        value={session.profile}
        options={hostProfiles.map(({ name, title }) => [name, title])}
        onPick={(profile) => onSession({ profile })}
        hint={hostHint(profileOf(session.profile))}
      />
      <LanguageField language={settings.language} onChange={(language) => onSettings({ language })} />
      <SelectField
        label="Time zone"
        value={settings.timeZone}
        options={[
          ['', 'as this browser'],
          ...['UTC', ...Intl.supportedValuesOf('timeZone')].map((zone) => [zone, zone] as const),
        ]}
        onPick={(timeZone) => onSettings({ timeZone })}
      />
      <label class="check">
        <input
          type="checkbox"
          checked={settings.phone}
          onChange={({ currentTarget }) => onSettings({ phone: currentTarget.checked })}
        />{' '}
        Phone frame
      </label>
      <div class="more">
        <PageLinks pages={pages} />
        <button type="button" class="small" onClick={onNewSession}>
          New session
        </button>
      </div>
    </section>
  )
}

/** What a host does, and what becomes of a card there. */
const hostHint = ({ does, card }: HostProfile): string => `This host ${does}. ${card}`

function ServerField({ session, onSession }: Pick<SettingsPanelProps, 'session' | 'onSession'>): VNode {
  const [text, setText] = useState(session.server)
  return (
    <form
      class="field"
      onSubmit={(event) => {
        event.preventDefault()
        onSession({ server: text.trim() })
      }}
    >
      <label for="server">Server</label>
      <div class="address">
        <input
          id="server"
          type="url"
          pattern="https?://.+"
          value={text}
          placeholder="this one, or https://…/mcp"
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <button type="submit" class="small">
          Connect
        </button>
      </div>
    </form>
  )
}

function LanguageField({ language, onChange }: { language: string; onChange: (language: string) => void }): VNode {
  const [text, setText] = useState(language)
  return (
    <label class="field">
      <span>Language</span>
      <input
        value={text}
        placeholder={navigator.language}
        onInput={({ currentTarget }) => {
          const given = currentTarget.value.trim()
          setText(currentTarget.value)
          currentTarget.setCustomValidity(isLanguage(given) ? '' : 'This is not a language tag, such as de or pt-BR.')
          if (isLanguage(given)) onChange(given)
        }}
        onBlur={({ currentTarget }) => void currentTarget.reportValidity()}
      />
    </label>
  )
}
