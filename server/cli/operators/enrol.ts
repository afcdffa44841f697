// Enrolling an authenticator is the same for the admin token and for an account: the secret is shown once, and counts
// only when a code of it has come back. Replacing one takes a code of the old one; where that is lost, somebody with the
// admin token takes it away, and the record says so.
import type { Terminal } from '../terminal/ask.ts'
import { type Records } from './operator.ts'
import { say, trouble } from '../terminal/output.ts'

interface Enrolling {
  readonly factor: Records['secondFactor']
  /** How the authenticator will call it. */
  readonly label: string
  /** The command, to be told again. */
  readonly command: string
  /** What it is for. */
  readonly purpose: string
}

/** Enrols an authenticator, or replaces it. Answers the exit code. */
export async function enrol(terminal: Terminal, { factor, label, command, purpose }: Enrolling): Promise<number> {
  if (await factor.enrolled()) {
    say.line('An authenticator is enrolled. A new one takes its place; that needs a code of the old one.')
    say.line(`(Where it is lost: \`${command} --reset\`.)`)
    const check = await factor.check(await terminal.ask('Code of the enrolled authenticator: '))
    if (check.kind === 'paused')
      return trouble({
        message: 'There were five wrong codes; no code is accepted now.',
        next: `Try again after ${new Date(check.until).toISOString()}.`,
      })
    if (check.kind !== 'right')
      return trouble({ message: 'This code is wrong or was used already.', next: 'Nothing was changed. Try again.' })
  }
  const { uri, secret } = await factor.begin(label)
  say.line('Add this to your authenticator; it is shown once:')
  say.line()
  say.line(`  ${uri}`)
  say.line()
  say.line(`  or type the secret  ${secret}`)
  say.line()
  for (let tries = 0; tries < 3; tries++) {
    const code = await terminal.ask('Code that it shows now: ')
    if (code === '') break
    if (await factor.confirm(code)) {
      say.line(`Enrolled. ${purpose}`)
      return 0
    }
    say.line('That code is wrong.')
  }
  return trouble({ message: 'Nothing was enrolled.', next: `Run \`${command}\` again; it makes a new secret.` })
}

/** Takes a lost authenticator away, after a person has said so. Answers the exit code; 0 where one is gone. */
export async function reset(terminal: Terminal, { factor, command, purpose }: Enrolling): Promise<number> {
  if (!(await factor.enrolled()))
    return trouble({ message: 'No authenticator is enrolled.', next: `\`${command}\` enrols one.` })
  say.line('This takes the enrolled authenticator away. Who did it, and when, stays on record.')
  if ((await terminal.ask('Type reset to do it: ')) !== 'reset') {
    say.line('Nothing was changed.')
    return 1
  }
  await factor.reset()
  say.line(
    `The authenticator is removed. Until another one is enrolled with \`${command}\`, no code is accepted. ${purpose}`,
  )
  return 0
}
