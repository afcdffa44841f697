// An address holds a password, and addresses are shown: at the start, in a failure, in a log. So what is shown is made
// here and nowhere else.

/** Whether this names a PostgreSQL database rather than a file. */
export const isPostgresAddress = (named: string): boolean => /^postgres(?:ql)?:\/\//i.test(named)

/** An address as it may be shown: without password and options. */
export const shownAddress = (address: string): string => {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url === undefined) return 'postgres://…'
  const user = url.username === '' ? '' : `${url.username}@`
  return `postgres://${user}${url.host}${url.pathname}`
}
