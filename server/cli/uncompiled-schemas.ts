// Zod compiles a schema to a function when it is first used, which costs more than most of them ever save. It is told not
// to before the first schema is made, and so in a file that imports nothing else.
import { config } from 'zod'

/** Schemas that are made from now on check values without being compiled. */
export const leaveUncompiled = (): void => void config({ jitless: true })
