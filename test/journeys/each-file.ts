// The runner loads this anew for each file of tests. A module that files share is loaded once, and a hook of its own
// would be the first file's only.
import { afterAll } from 'vitest'
import { endAll } from './at-end.ts'

afterAll(endAll)
