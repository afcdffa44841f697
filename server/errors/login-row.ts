// What is said of a call whose server behind asks for a login.
import type { Failure } from './failure.ts'
import { askPerson, type Row } from './row.ts'

/** Only a person can log in there. */
export const loginNeeded = ({
  tool,
  server,
  why,
  command,
  variables,
}: Extract<Failure, { readonly kind: 'login-needed' }>): Row => ({
  error_type: 'upstream_login_required',
  category: 'upstream',
  message: `${tool} was not called: its server, ${server}, asks for a login.`,
  cause: why,
  actionable_guidance: [
    `Ask the person to run this in a terminal: \`${command}\`.`,
    ...(variables.length === 0 ? [] : [`It needs ${variables.join(' and ')} of this server in that terminal.`]),
    'Ask for no password and no token, and do not log in for them.',
    'Once they say that it is done, repeat this call unchanged. Nothing was sent, and a confirmation that the call brings stays valid as long as its preview does.',
  ],
  fix: askPerson(`${server} asks for a login. Please run \`${command}\`.`),
  retryable: 'after_wait',
  retry_after_seconds: 30,
  rule: 'upstream.login',
})
