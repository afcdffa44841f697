/**
 * Before a statement in a transaction: nobody needs its answer before the commit's. It is sent at once and not waited for,
 * which spares a way to the server and back; where it fails, the commit fails with its error.
 */
export const SOON = '/*soon*/'
