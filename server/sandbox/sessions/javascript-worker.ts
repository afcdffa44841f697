// The thread of a session in JavaScript. What it needs is known before it starts, so it is loaded as few files at once.
import { serveJavaScript } from '../javascript/javascript-instance.ts'
import { serveSession } from './session-thread.ts'

await serveSession(serveJavaScript)
