// A mistake while drawing would leave an empty frame, and an empty frame looks like nothing happened. This says that
// something did.
import { Component, type ComponentChildren } from 'preact'
import { Note } from '../parts/alert.tsx'
import { wordsOf } from '../parts/words.ts'
import { InlineMarkup } from './inline-markup.tsx'

interface Props {
  readonly children: ComponentChildren
  /** Once the sentence stands there. */
  readonly onFell?: () => void
}

export class ErrorBoundary extends Component<Props, { readonly fell: boolean }> {
  override state = { fell: false }

  override componentDidCatch(): void {
    this.setState({ fell: true }, this.props.onFell)
  }

  override render(): ComponentChildren {
    return this.state.fell ? (
      <main class="card">
        <div class="body">
          <Note tone="danger" sign="×" alert>
            <InlineMarkup note={wordsOf('en').$nMalformed} />
          </Note>
        </div>
      </main>
    ) : (
      this.props.children
    )
  }
}
