// The thread of a session in Python.
import { servePython } from '../python/python-instance.ts'
import { serveSession } from './session-thread.ts'

await serveSession(servePython)
