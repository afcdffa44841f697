// Writes one archive for each package, from Debian's packages in a folder: `node sandbox-packages/build.ts FOLDER`, after
// `apt-get download NAME=VERSION` there for what is missing (bookworm). The same packages give the same bytes.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { openSandbox } from '../server/sandbox/open-sandbox.ts'
import { shipped, type Shipped } from './packages.ts'

const folder = process.argv[2]
if (folder === undefined) throw new Error('Name the folder with the packages of Debian.')

const python = 'usr/lib/python3/dist-packages'
const owner = { tenant: 'sandbox', subject: 'build' }
const sandbox = openSandbox({ limits: { workspaceFiles: 5000 } })

for (const one of shipped) {
  const extracted = mkdtempSync(join(tmpdir(), 'sandbox-package-'))
  execFileSync('dpkg-deb', ['-x', debianFile(folder, one), extracted])
  const archive = gzipSync(tarOf(await compiled(filesIn(extracted, one))), { level: 9 })
  // The byte of the operating system.
  archive[9] = 255
  writeFileSync(join(import.meta.dirname, `${one.name}-${one.version}.tar.gz`), archive)
  rmSync(extracted, { recursive: true })
}
await sandbox.close()

/** With what the guest's own compiler makes of each module, which is most of what a first import would consume. */
async function compiled(sources: ReadonlyMap<string, Uint8Array>): Promise<ReadonlyMap<string, Uint8Array>> {
  const created = await sandbox.createSession(owner, { language: 'python' })
  if (!created.ok) throw new Error(created.failure.message)
  const { sessionId } = created.value
  const modules = [...sources].filter(([path]) => path.endsWith('.py'))
  const ran = await sandbox.run(owner, {
    language: 'python',
    sessionId,
    budget: 200_000_000_000,
    timeoutMs: 120_000,
    files: modules.map(([path, bytes]) => ({
      path,
      content: Buffer.from(bytes).toString('base64'),
      encoding: 'base64' as const,
    })),
    code: `
import os, py_compile
for folder, _, names in os.walk('.'):
    for name in sorted(names):
        path = os.path.join(folder, name)[2:]
        py_compile.compile(path, dfile='/packages/' + path, doraise=True,
                           invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
`,
  })
  if (!ran.ok) throw new Error(ran.failure.message)
  if (ran.value.exitCode !== 0) throw new Error(ran.value.stderr)
  const all = new Map(sources)
  for (const { path } of ran.value.filesChanged) {
    const read = await sandbox.readFile(owner, sessionId, path)
    if (!read.ok) throw new Error(read.failure.message)
    all.set(path, read.value.bytes)
  }
  await sandbox.destroySession(owner, sessionId)
  return new Map([...all].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function debianFile(from: string, { debian: [name, version, sha256] }: Shipped): string {
  const file = readdirSync(from).find((each) => each.startsWith(`${name}_${version}_`))
  if (file === undefined) throw new Error(`Run \`apt-get download ${name}=${version}\` in ${from}.`)
  const found = createHash('sha256')
    .update(readFileSync(join(from, file)))
    .digest('hex')
  if (found !== sha256) throw new Error(`${file} has the digest ${found}; it should be ${sha256}.`)
  return join(from, file)
}

/** Python sources without tests, what names extensions, and the licence. */
function filesIn(extracted: string, { name, debian }: Shipped): ReadonlyMap<string, Uint8Array> {
  const root = join(extracted, python)
  const paths = globSync(['**/*.py', '*.egg-info/{PKG-INFO,entry_points.txt}'], { cwd: root })
    .filter((path) => !/(?:^|\/)tests?\//.test(path) && statSync(join(root, path)).isFile())
    .toSorted()
  const files = new Map<string, Uint8Array>(paths.map((path) => [path, readFileSync(join(root, path))]))
  files.set(`licences/${name}.txt`, readFileSync(join(extracted, 'usr/share/doc', debian[0], 'copyright')))
  return files
}

function tarOf(files: ReadonlyMap<string, Uint8Array>): Buffer {
  const parts: Uint8Array[] = []
  for (const [path, bytes] of files) {
    if (Buffer.byteLength(path) > 100) throw new Error(`The path ${path} is too long for the archive.`)
    const header = Buffer.alloc(512)
    header.write(path, 0)
    header.write('0000644\u00000000000\u00000000000\0', 100)
    header.write(`${bytes.length.toString(8).padStart(11, '0')}\0${'0'.repeat(11)}\0`, 124)
    header.write('        0', 148)
    header.write('ustar\u000000', 257)
    const sum = header.reduce((all, byte) => all + byte, 0)
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
    parts.push(header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512))
  }
  return Buffer.concat([...parts, Buffer.alloc(1024)])
}
