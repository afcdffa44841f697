import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { hostProfiles } from '../../../server/testing/profiles.ts'
import { profileOf, type Session } from './session.ts'
import { isLanguage, type ModelSettings, type Settings } from './settings.ts'

interface SettingsPanelProps {
  readonly session: Session
  readonly settings: Settings
  readonly onSession: (change: Partial<Session>) => void
  readonly onSettings: (change: Partial<Settings>) => void
}

/** Which server, which host, whose eyes, and who plays the agent. */
export function SettingsPanel({ session, settings, onSession, onSettings }: SettingsPanelProps): VNode {
  return (
    <section class="settings" aria-label="Settings">
      <ServerField session={session} onSession={onSession} />
      <label class="field">
        <span>Host</span>
        <select value={session.profile} onChange={({ currentTarget }) => onSession({ profile: currentTarget.value })}>
          {hostProfiles.map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
        <small>This host {profileOf(session.profile).does}.</small>
      </label>
      <Text
        label="Language"
        value={settings.language}
        placeholder={navigator.language}
        check={isLanguage}
        onChange={(language) => onSettings({ language })}
      />
      <label class="field">
        <span>Time zone</span>
        <select
          value={settings.timeZone}
          onChange={({ currentTarget }) => onSettings({ timeZone: currentTarget.value })}
        >
          <option value="">as this browser</option>
          {['UTC', ...Intl.supportedValuesOf('timeZone')].map((zone) => (
            <option key={zone} value={zone}>
              {zone}
            </option>
          ))}
        </select>
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={settings.phone}
          onChange={({ currentTarget }) => onSettings({ phone: currentTarget.checked })}
        />{' '}
        Phone frame
      </label>
      <ModelFields model={settings.model} onChange={(model) => onSettings({ model })} />
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
          placeholder="this one; or http://127.0.0.1:3000/mcp"
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <button type="submit" class="small">
          Connect
        </button>
      </div>
    </form>
  )
}

const kinds: readonly (readonly [ModelSettings['kind'], string])[] = [
  ['script', 'a script, no model'],
  ['openai', 'a model, OpenAI-compatible'],
  ['anthropic', 'a model, Anthropic'],
]

function ModelFields(props: {
  readonly model: ModelSettings
  readonly onChange: (model: ModelSettings) => void
}): VNode {
  const { model, onChange } = props
  const set = (change: Partial<ModelSettings>) => onChange({ ...model, ...change })
  return (
    <>
      <label class="field">
        <span>Agent</span>
        <select
          value={model.kind}
          onChange={({ currentTarget }) => set({ kind: currentTarget.value as ModelSettings['kind'] })}
        >
          {kinds.map(([kind, words]) => (
            <option key={kind} value={kind}>
              {words}
            </option>
          ))}
        </select>
      </label>
      {model.kind !== 'script' && (
        <>
          <Text
            label="Base URL"
            value={model.baseUrl}
            placeholder={model.kind === 'openai' ? 'https://api.openai.com/v1' : 'https://api.anthropic.com'}
            check={(text) => text === '' || URL.canParse(text)}
            onChange={(baseUrl) => set({ baseUrl })}
          />
          <Text label="Model" value={model.name} placeholder="" check={() => true} onChange={(name) => set({ name })} />
          <label class="field">
            <span>Key</span>
            <input
              type="password"
              autocomplete="off"
              value={model.apiKey}
              onInput={({ currentTarget }) => set({ apiKey: currentTarget.value })}
            />
            <small>Kept in this tab, sent to that address only.</small>
          </label>
        </>
      )}
    </>
  )
}

function Text(props: {
  readonly label: string
  readonly value: string
  readonly placeholder: string
  readonly check: (text: string) => boolean
  readonly onChange: (text: string) => void
}): VNode {
  const [text, setText] = useState(props.value)
  return (
    <label class="field">
      <span>{props.label}</span>
      <input
        value={text}
        placeholder={props.placeholder}
        onInput={({ currentTarget }) => {
          const given = currentTarget.value.trim()
          const sound = props.check(given)
          setText(currentTarget.value)
          currentTarget.setCustomValidity(sound ? '' : `${props.label}: this cannot be used.`)
          if (sound) props.onChange(given)
        }}
        onBlur={({ currentTarget }) => void currentTarget.reportValidity()}
      />
    </label>
  )
}
