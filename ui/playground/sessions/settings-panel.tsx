import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { hostProfiles } from '../../../server/testing/profiles.ts'
import { SelectField } from '../../parts/select-field.tsx'
import { profileOf, type Session } from './session.ts'
import { isLanguage, type Settings } from './settings.ts'

interface SettingsPanelProps {
  readonly session: Session
  readonly settings: Settings
  readonly onSession: (change: Partial<Session>) => void
  readonly onSettings: (change: Partial<Settings>) => void
}

const timeZones = ['UTC', ...Intl.supportedValuesOf('timeZone')]

/** Which server, which kind of host, and the reader's language, time zone and screen. */
export function SettingsPanel({ session, settings, onSession, onSettings }: SettingsPanelProps): VNode {
  return (
    <section class="settings" aria-label="Settings">
      <ServerField session={session} onSession={onSession} />
      <SelectField
        label="Host"
        value={session.profile}
        options={hostProfiles.map(({ name }) => [name, name])}
        onPick={(profile) => onSession({ profile })}
        hint={`This host ${profileOf(session.profile).does}.`}
      />
      <LanguageField language={settings.language} onChange={(language) => onSettings({ language })} />
      <SelectField
        label="Time zone"
        value={settings.timeZone}
        options={[['', 'as this browser'], ...timeZones.map((zone) => [zone, zone] as const)]}
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
    </section>
  )
}

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
