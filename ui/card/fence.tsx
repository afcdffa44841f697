// A mistake while drawing would leave an empty frame, and an empty frame looks like nothing happened. This says that
// something did.
import { Component, type ComponentChildren } from 'preact'
import { Note } from '../parts/alert.tsx'
import { english } from './words.ts'

interface Props {
  readonly children: ComponentChildren
}

export class Fence extends Component<Props, { readonly fell: boolean }> {
  override state = { fell: false }

  override componentDidCatch(): void {
    this.setState({ fell: true })
  }

  override render(): ComponentChildren {
    const { title, text } = english.note.malformed
    return this.state.fell ? (
      <main class="card">
        <div class="body">
          <Note tone="danger" sign="×" alert>
            <b>{title}</b> {text}
          </Note>
        </div>
      </main>
    ) : (
      this.props.children
    )
  }
}
