// Well-known proxies from npm, each in front of the server that all are measured with.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { upstreamFile } from './gateway-servers.ts'

/** What Node is given to start one, which then serves on this port of the loopback, at `/mcp`. */
export const proxies = {
  mcpProxy: (port: number): readonly string[] => [
    bin('mcp-proxy'),
    '--port',
    String(port),
    '--host',
    '127.0.0.1',
    '--server',
    'stream',
    '--no-eventStore',
    '--',
    process.execPath,
    upstreamFile,
  ],
  supergateway: (port: number): readonly string[] => [
    bin('supergateway'),
    '--stdio',
    `${process.execPath} ${upstreamFile}`,
    '--outputTransport',
    'streamableHttp',
    '--stateful',
    '--port',
    String(port),
    '--logLevel',
    'none',
  ],
}

/** The program of an installed package. */
function bin(name: string): string {
  const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`)
  const { bin } = JSON.parse(readFileSync(manifest, 'utf8')) as { bin: Record<string, string> }
  return join(dirname(manifest), bin[name] ?? '')
}
