// @sparticuz/chromium is made for AWS Lambda. Its flags (one process, no web security) would hide what browser tests are
// about, so only its binary is used. It unpacks into the machine's temporary folder and takes what is already there for
// whole, also half of it, another version's or another user's. So it is unpacked beside the packages instead, under its
// version, and becomes visible in one step.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Executable } from './browser.ts'

const run = promisify(execFile)
const entry = import.meta.resolve('@sparticuz/chromium')
const home = join(dirname(fileURLToPath(entry)), '..')
/** What the browser keeps between runs, and where it downloads to. */
export const beside = join(import.meta.dirname, '..', '..', 'node_modules', '.cache')

// The library unpacks where `os.tmpdir()` points, so a process is started for which that is our folder.
const script = `
  const { default: chromium, inflate } = await import(${JSON.stringify(entry)})
  await chromium.executablePath()
  await inflate(${JSON.stringify(join(home, 'bin', 'al2023.tar.br'))})`

const xml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** Latin letters are the package's on every machine; other scripts, where it has none, are the machine's. */
const fonts = (folder: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${xml(folder)}/fonts</dir>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <cachedir>${xml(folder)}/fonts-cache</cachedir>
  <alias binding="same"><family>sans-serif</family><prefer><family>Open Sans</family></prefer></alias>
  <alias binding="same"><family>system-ui</family><prefer><family>Open Sans</family></prefer></alias>
</fontconfig>
`

async function unpack(into: string): Promise<void> {
  await mkdir(dirname(into), { recursive: true })
  const partial = await mkdtemp(`${into}-partial-`)
  try {
    const env = { ...process.env, TMPDIR: partial, TEMP: partial, TMP: partial }
    await run(process.execPath, ['--input-type=module', '--eval', script], { env })
    await writeFile(join(partial, 'fonts.conf'), fonts(into))
    await rename(partial, into)
  } catch (error) {
    await rm(partial, { recursive: true, force: true })
    // Somebody else was quicker, and theirs is as good.
    if (!existsSync(into)) throw error
  }
}

/** The libraries that a bare system lacks come with the package; where the system has them, its own are used. */
async function librariesOf(folder: string): Promise<Readonly<Record<string, string>>> {
  if (process.platform !== 'linux') return {}
  const { stdout } = await run('ldd', [join(folder, 'chromium')]).catch(() => ({ stdout: 'not found' }))
  return stdout.includes('not found') ? { LD_LIBRARY_PATH: join(folder, 'al2023', 'lib') } : {}
}

/** The Chromium that comes with the packages, unpacked once for each version of it, by whoever needs it first. */
export async function packagedChromium(cache = beside): Promise<Executable> {
  const { version } = JSON.parse(await readFile(join(home, 'package.json'), 'utf8')) as { version: string }
  const folder = join(cache, `chromium-${version}`)
  if (!existsSync(folder)) await unpack(folder)
  const env = { ...(await librariesOf(folder)), FONTCONFIG_FILE: join(folder, 'fonts.conf') }
  return { path: join(folder, 'chromium'), env }
}
