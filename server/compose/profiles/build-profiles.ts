// Writes what the shipped profiles say as JSON into `dist/profiles`, whole and checked: a step of the build, run from `dist`.
// A start reads the one that it needs from there.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { builtProfile } from '../package-files.ts'
import { readShippedProfile, shippedIndex } from './profiles.ts'

for (const { name } of shippedIndex()) {
  const file = builtProfile(name)
  if (file === undefined) throw new Error('Profiles are built from dist: npm run build:server')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify(await readShippedProfile(name)))
}
