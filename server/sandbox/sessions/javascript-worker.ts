// The thread of a session in JavaScript. What it needs is known before it starts, so it is loaded as one file.
import { serveJavaScript } from '../javascript/javascript-instance.ts'
import { serveSession } from './session-thread.ts'

// CommonJS, which it is built as, has no `await` here.
void serveSession(serveJavaScript)
