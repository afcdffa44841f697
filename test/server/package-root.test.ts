// Where the library looks for the files that lie beside its code.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { packageRoot } from '../../server/package-root.ts'

test('it is our own package, and another one says that we were bundled into it', () => {
  expect(packageRoot()).toBe(join(import.meta.dirname, '..', '..'))
  const folder = mkdtempSync(join(tmpdir(), 'bundled-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'dist'))
  writeFileSync(join(folder, 'package.json'), '{"name":"their-app"}')
  expect(() => packageRoot(join(folder, 'dist'))).toThrow(/bundled into their-app.*serverExternalPackages/)
})
