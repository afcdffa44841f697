// A server on this machine that speaks S3 and checks signatures.
import { join } from 'node:path'
import { onTestFinished, vi } from 'vitest'
import { place } from '../../../store/store-fixture.ts'

/** As far as a test needs it; the package has no types. */
interface S3rver {
  run(): Promise<{ readonly port: number }>
  close(): Promise<void>
}

/** The address of a bucket, for which this process has credentials until the test ends. */
export async function bucket() {
  const name: string = '@20minutes/s3rver'
  const { default: Server } = (await import(name)) as { readonly default: new (options: object) => S3rver }
  // It takes four characters of a query for those that need no encoding; AWS does not, and signs as RFC 3986 says.
  const encode = encodeURIComponent
  vi.stubGlobal('encodeURIComponent', (text: string) =>
    encode(text).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`),
  )
  onTestFinished(() => void vi.unstubAllGlobals())
  const server = new Server({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: join(place(), 's3'),
    configureBuckets: [{ name: 'bucket' }],
  })
  const { port } = await server.run()
  onTestFinished(() => server.close())
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'S3RVER')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'S3RVER')
  onTestFinished(() => void vi.unstubAllEnvs())
  return `s3://bucket/some/prefix?region=us-east-1&endpoint=http://127.0.0.1:${port}`
}
