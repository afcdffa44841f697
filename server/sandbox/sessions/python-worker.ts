// The thread of a session in Python.
import { servePython } from '../python/python-engine.ts'
import { serveSession } from './session-thread.ts'

await serveSession(servePython)
