// For whoever came in with the admin token: a session that was left open elsewhere is ended from here.
import type { VNode } from 'preact'
import { troubleText } from '../answer.ts'
import type { AppProps } from '../context.ts'
import { Section } from '../page.tsx'
import { Sure } from '../sure.tsx'

export const TokenSessionsSection = ({ app }: AppProps): VNode => {
  const end = async (): Promise<void> => {
    const answer = await app.ask((api) => api.session.others.$delete())
    if (!answer.ok) return app.say(troubleText(answer.trouble), 'danger')
    const { ended } = answer.value
    app.say(
      ended === 0 ? 'There was no other session.' : `Ended: ${ended} other session${ended === 1 ? '' : 's'}.`,
      'ok',
    )
  }
  return (
    <Section
      id="token-sessions"
      title="Sessions of the admin token"
      lead="In every browser in which somebody signed in with it. This one stays. Whoever has the token can sign in again: change it to keep them out."
    >
      <p class="buttons">
        <Sure label="End all other sessions" sure="End them now" onSure={end} />
      </p>
    </Section>
  )
}
