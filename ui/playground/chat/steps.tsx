// First steps: what one could do, as buttons that do it. The agent is a script, so a press on a step is its call; whoever
// wants to see or change the arguments first opens the form.
import type { VNode } from 'preact'
import { useCallback, useId, useState } from 'preact/hooks'
import { Markdown } from './markdown.tsx'
import type { Taken } from './progress.ts'
import type { Elsewhere, Suggestion } from './suggestions.ts'
import { useDismiss } from './use-dismiss.ts'

/** What can be done with a step. */
export interface StepActions {
  /** Has the agent make the call; absent where each call is looked at in its form first. */
  readonly onTake: ((step: Suggestion) => void) | undefined
  /** Opens the form with the arguments in it. */
  readonly onChange: (step: Suggestion) => void
}

interface StepListProps extends StepActions {
  readonly steps: readonly Suggestion[]
  /** Labels of those that are over. */
  readonly over: readonly string[]
}

/** Steps as a list, those ticked that are over. */
export const StepList = ({ steps, over, onTake, onChange }: StepListProps): VNode => (
  <ul class="steps" aria-label="First steps">
    {steps.map((step) => {
      const isOver = over.includes(step.label)
      return (
        <li key={step.label} class={isOver ? 'over' : ''}>
          <button type="button" class="take" onClick={() => (onTake ?? onChange)(step)}>
            <b>
              {isOver && (
                <span class="tick" role="img" aria-label="Done: ">
                  ✓
                </span>
              )}
              {step.label}
            </b>
            <span>{step.hint}</span>
          </button>
          {onTake !== undefined && (
            <button
              type="button"
              class="quiet small"
              aria-label={`Change first: ${step.label}`}
              onClick={() => onChange(step)}
            >
              <span class="long">Change first</span>
              <span class="short">✎</span>
            </button>
          )}
        </li>
      )
    })}
  </ul>
)

export interface NextStepsProps extends StepListProps {
  /** What is offered at once. */
  readonly next: readonly Suggestion[]
  readonly taken: Taken | undefined
  readonly onElsewhere: (elsewhere: Elsewhere) => void
  /** The agent asks again what has become of a call that waits for an operator. */
  readonly onAskAgain: (taken: Taken) => void
  /** Opens the page of an approval, signed in; absent where only its link is known. */
  readonly onDecide: ((approvalId: string) => void) | undefined
  /** A call is being made, or somebody else is at work. */
  readonly busy: boolean
}

const mostNext = 3

/** Below a conversation that goes on: how the step that was taken goes on, and what comes next. */
export function NextSteps({
  next,
  taken,
  onElsewhere,
  onAskAgain,
  onDecide,
  busy,
  ...list
}: NextStepsProps): VNode | null {
  const [open, setOpen] = useState(false)
  const id = useId()
  const { steps, over, onTake, onChange } = list
  const close = useCallback(() => setOpen(false), [])
  const closing = (act: (step: Suggestion) => void) => (step: Suggestion) => {
    close()
    act(step)
  }
  if (next.length === 0 && steps.length === 0) return null
  return (
    <div class="below">
      {taken !== undefined && taken.stands !== 'left' && (
        <GuideLine {...{ taken, onElsewhere, onAskAgain, onDecide, busy }} />
      )}
      <div class="next">
        {steps.length > 0 && (
          <button
            type="button"
            class="quiet small progress"
            aria-expanded={open}
            aria-controls={id}
            onClick={() => setOpen(!open)}
          >
            {steps.filter(({ label }) => over.includes(label)).length} of {steps.length} steps
          </button>
        )}
        <ul class="next-steps" aria-label="Next steps">
          {next.slice(0, mostNext).map((step) => (
            <li key={step.label}>
              <button type="button" title={step.hint} disabled={busy} onClick={() => (onTake ?? onChange)(step)}>
                {step.label}
              </button>
              {onTake !== undefined && (
                <button
                  type="button"
                  class="change"
                  title="Change first"
                  aria-label={`Change first: ${step.label}`}
                  onClick={() => onChange(step)}
                >
                  ✎
                </button>
              )}
            </li>
          ))}
        </ul>
      </div>
      {open && (
        <AllSteps id={id} close={close} {...list} onTake={onTake && closing(onTake)} onChange={closing(onChange)} />
      )}
    </div>
  )
}

function AllSteps({ id, close, ...list }: StepListProps & { readonly id: string; readonly close: () => void }): VNode {
  useDismiss(id, close)
  return (
    <div class="all-steps" id={id}>
      <StepList {...list} />
    </div>
  )
}

type GuideProps = Pick<NextStepsProps, 'onElsewhere' | 'onAskAgain' | 'onDecide' | 'busy'> & { readonly taken: Taken }

/** What the person does next in the step that was taken, or what they have seen. */
function GuideLine({ taken, onElsewhere, onAskAgain, onDecide, busy }: GuideProps): VNode {
  const { guide, stands, approval } = taken
  const isOver = stands === 'over'
  const elsewhere = !isOver && !taken.elsewhere ? guide.elsewhere : undefined
  return (
    <div class={`guide ${stands}`} role="status">
      {elsewhere !== undefined ? (
        <>
          <Markdown text="The card is a preview of the order as it is now." />
          <button type="button" class="small" disabled={busy} onClick={() => onElsewhere(elsewhere)}>
            {elsewhere.label}
          </button>
        </>
      ) : (
        <Markdown text={isOver ? `✓ ${guide.seen}` : guide.todo} />
      )}
      {isOver && approval !== undefined && (
        <p class="links">
          {onDecide === undefined ? (
            <a href={approval.url} target="_blank" rel="noopener">
              Decide as an operator
            </a>
          ) : (
            <button type="button" class="small" onClick={() => onDecide(approval.id)}>
              Decide as an operator
            </button>
          )}
          <button type="button" class="quiet small" disabled={busy} onClick={() => onAskAgain(taken)}>
            Have the agent ask again
          </button>
        </p>
      )}
    </div>
  )
}
