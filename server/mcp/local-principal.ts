import { userInfo } from 'node:os'
import type { Principal } from '../model/principal.ts'

/** The principal of a process on this machine: the OS user, and a name that tells several hosts of theirs apart. */
export const localPrincipal = (as = 'stdio'): Principal => ({
  tenant: 'default',
  subject: `${userInfo().username}/${as}`,
})
