// What cannot be taken back is confirmed by typing its name, in a card in a chat and on an operators' page alike.
import type { VNode } from 'preact'
import { Placed } from './placed.tsx'

interface PhraseProps {
  /** With `{0}` where the phrase stands. */
  readonly sentence: string
  readonly phrase: string
  readonly typed: string
  readonly disabled: boolean
  readonly onType: (typed: string) => void
}

export const Phrase = ({ sentence, phrase, typed, disabled, onType }: PhraseProps): VNode => (
  <label class="field phrase">
    <span>
      <Placed sentence={sentence}>
        <code>
          <bdi>{phrase}</bdi>
        </code>
      </Placed>
    </span>
    <input
      dir="auto"
      autoComplete="off"
      autoCapitalize="off"
      spellcheck={false}
      value={typed}
      disabled={disabled}
      onInput={(event) => onType(event.currentTarget.value)}
    />
  </label>
)
