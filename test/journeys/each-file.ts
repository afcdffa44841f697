// Loaded before each file of tests, which modules are not that files share: what a file has opened ends with it.
import { afterAll } from 'vitest'
import { endAll } from './at-end.ts'

afterAll(endAll)
