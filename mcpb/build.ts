// Makes `dist/countersign.mcpb`, which a chat host installs by a double click: `countersign wrap` with all that it runs on
// (https://github.com/modelcontextprotocol/mcpb, MANIFEST.md, version 0.3). Run it by `npm run build:mcpb`.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const mcpb = join(import.meta.dirname, 'node_modules', '@anthropic-ai', 'mcpb', 'dist', 'cli', 'cli.js')
const out = process.argv[2] ?? join(root, 'dist', 'countersign.mcpb')

/**
 * What `wrap` runs on: the bundled program, its card, what is known of servers, the documentation to which errors lead, and the one
 * package that is not bundled.
 */
const parts = [
  'dist/program',
  'dist/profiles',
  'profiles/index.json',
  'dist/ui/card',
  'cheatsheets',
  'docs/GLOSSARY.md',
  'docs/guides',
  'docs/recipes',
  'node_modules/libpg-query',
  'node_modules/@pgsql/types',
  'LICENSE',
]

const { name, version, type, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<
  string,
  string
>
const manifest = JSON.parse(readFileSync(join(import.meta.dirname, 'manifest.json'), 'utf8')) as object

const folder = mkdtempSync(join(tmpdir(), 'countersign-mcpb-'))
try {
  cpSync(join(import.meta.dirname, 'NOTICE'), join(folder, 'NOTICE'))
  for (const part of parts) cpSync(join(root, part), join(folder, part), { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, version, type, license }, null, 2))
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ ...manifest, version }, null, 2))
  execFileSync(process.execPath, [mcpb, 'pack', folder, out], { stdio: ['ignore', 'ignore', 'inherit'] })
} finally {
  rmSync(folder, { recursive: true })
}
