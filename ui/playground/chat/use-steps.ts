import { useEffect, useMemo, useState } from 'preact/hooks'
import { promiseOf, type ToolFacts } from '../tools/tool-facts.ts'
import { loadSteps, saveSteps, stepsOver, stepTaken, type Taken } from './progress.ts'
import { firstSteps, type Elsewhere, type Suggestion } from './suggestions.ts'
import type { Entry } from './transcript.ts'
import { troubleOf, type Trouble } from './trouble.ts'
import type { useConversation } from './use-conversation.ts'

interface StepsParts {
  readonly tools: readonly ToolFacts[]
  readonly entries: readonly Entry[]
  readonly conversation: ReturnType<typeof useConversation>
  /** Makes a call as another client. */
  readonly elsewhere: (call: Elsewhere) => Promise<void>
  readonly failed: (trouble: Trouble) => void
}

/** The first steps of these tools, where the person stands with them, and what is done about them. */
export function useSteps({ tools, entries, conversation, elsewhere, failed }: StepsParts) {
  const steps = useMemo(() => firstSteps(tools), [tools])
  const [over, setOver] = useState(() => loadSteps(sessionStorage))
  const [isElsewhere, setElsewhere] = useState(false)
  useEffect(() => {
    const now = stepsOver(steps, entries)
    setOver((known) => (now.every((one) => known.includes(one)) ? known : [...new Set([...known, ...now])]))
  }, [steps, entries])
  useEffect(() => saveSteps(sessionStorage, over), [over])
  const take = ({ tool, args, guide }: Suggestion): void =>
    void (guide?.goesAhead === true ? conversation.goAhead(tool, args) : conversation.ask(tool, args))
  const letElsewhere = async (call: Elsewhere): Promise<void> => {
    setElsewhere(true)
    await elsewhere(call).then(
      () => conversation.meanwhile(call.says),
      (error: unknown) => failed(troubleOf(error)),
    )
    setElsewhere(false)
  }
  return {
    steps,
    over,
    taken: stepTaken(steps, entries),
    busy: isElsewhere || entries.some((entry) => entry.kind === 'call' && entry.end.kind === 'running'),
    // Elsewhere than in a demo nobody knows what a call does: there a press opens its form.
    onTake: steps.length > 0 && promiseOf(tools) === 'asks' ? take : undefined,
    onElsewhere: (call: Elsewhere) => void letElsewhere(call),
    onAskAgain: ({ step, approval }: Taken) =>
      void (approval && conversation.repeat(step.tool, step.args, approval.id)),
    /** Forgets which were over. */
    startAgain: () => setOver([]),
  }
}
