// Opens an address in the person's browser. The address comes from another server, so no shell reads it.
import { spawn } from 'node:child_process'

const openers: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  // `start` of cmd would read `&` in it.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Tries to; who has no browser here opens the address elsewhere. @param address http or https */
export function openBrowser(address: URL): void {
  const [command, ...args] = openers[process.platform] ?? ['xdg-open']
  const child = spawn(command, [...args, address.href], { stdio: 'ignore', detached: true })
  child.once('error', () => undefined)
  child.unref()
}
