// What every operator's command needs first: the records, and a credential that no agent has. The admin token in the
// environment or in its 0600 file is that credential. It keeps out other users and every agent that works through tools;
// an agent with a shell under the same OS user can read the file as well as its owner can, and nothing here prevents it.
import { userInfo } from 'node:os'
import type { Composed } from '../../compose/compose.ts'
import type { ServerConfig } from '../../config/config.schema.ts'
import { openRecords } from '../../compose/records/open-records.ts'
import { composeOptionsOf } from '../../compose/settings/config.ts'
import { openAdminToken } from '../../http/auth/admin-token.ts'
import { settingsOf, type ConfigOptions } from '../config-options.ts'
import { beginAct } from '../../operators/operator-record.ts'
import { trouble } from '../terminal/output.ts'

export type Records = Composed['store']

export type OperatorOptions = Pick<ConfigOptions, 'config' | 'db'>

/** Opens the records for an operator, does the work, and closes them. Answers the exit code. */
export const asOperator = (options: OperatorOptions, work: (records: Records) => Promise<number>): Promise<number> =>
  withAdminToken(options, ({ records }) => work(records))

interface WithToken {
  readonly records: Records
  /** `undefined`: there is none. */
  readonly adminToken: string | undefined
  readonly settings: ServerConfig
}

/** The same for work that shows the admin token to somebody. */
export async function withAdminToken(
  options: OperatorOptions,
  work: (found: WithToken) => Promise<number>,
): Promise<number> {
  const settings = settingsOf(options)
  if (!settings.ok) return trouble(settings.failure)
  const { server } = settings.value
  const opened = await openRecords(composeOptionsOf(server))
  if (!opened.ok) return trouble(opened.failure)
  const records = opened.value
  try {
    const token = await openAdminToken(records.file, server.operators.admin_token)
    return token.ok ? await work({ records, adminToken: token.value.value, settings: server }) : trouble(token.failure)
  } finally {
    await records.close()
  }
}

/** The name under which a decision is recorded. */
export const operatorName = (by: string | undefined): string => by ?? userInfo().username

/** Records what somebody is about to do at the terminal. Answers what records how it ended. */
export const beginHere = (
  { activityLog }: Pick<Records, 'activityLog'>,
  act: string,
  { by, tenant }: { readonly by?: string | undefined; readonly tenant?: string | undefined },
  details: Readonly<Record<string, unknown>>,
): ReturnType<typeof beginAct> =>
  beginAct(activityLog, { who: operatorName(by), tenant, via: 'terminal', act, details })
