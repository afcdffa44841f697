// A mail server that takes every mail and keeps none, in a process of its own: `bench -- mail` measures who sends.
import { SMTPServer } from 'smtp-server'

const server = new SMTPServer({
  authOptional: true,
  logger: false,
  disabledCommands: ['STARTTLS'],
  disableReverseLookup: true,
  onData(stream, _session, done) {
    stream.on('end', () => done(null, 'OK queued as 0123456789abcdef'))
    stream.resume()
  },
})
server.on('error', () => undefined)
const listening = server.listen(0, '127.0.0.1', () => {
  const address = listening.address()
  console.log(JSON.stringify({ url: `smtp://127.0.0.1:${typeof address === 'string' ? '' : address?.port}` }))
})
process.stdin.on('end', () => process.exit()).resume()
