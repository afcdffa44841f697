// Writes what the shipped profiles say as JSON into `dist/profiles`, whole and checked: a step of the build.
// A start reads the one that it needs from there.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { profileOfBuild } from '../package-files.ts'
import { readShippedProfile, shippedIndex } from './profiles.ts'

for (const { name } of shippedIndex()) {
  const file = profileOfBuild(name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify(await readShippedProfile(name)))
}
