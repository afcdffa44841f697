#!/usr/bin/env node
// The binary. It must say one clear line on an old Node, so nothing else is imported before the version is known: a static
// import would fail first, with a stack trace about something else. Plain syntax only in this file.
import { nodeProblem } from '../supported-node.ts'

// A reader of stdout who has seen enough (`| head`) is no error; what is still written then goes nowhere.
process.stdout.on('error', (error) => {
  if (!('code' in error) || error.code !== 'EPIPE') throw error
})
const problem = nodeProblem()
if (problem !== undefined) {
  process.stderr.write(
    `${problem} Install a newer Node, or run it with \`npx -p node@24 -p countersign countersign\`.\n`,
  )
  process.exitCode = 1
} else if (process.argv.length === 3 && (process.argv[2] === '--version' || process.argv[2] === '-V')) {
  // Loading everything else would double the time.
  const { packageVersion } = await import('../compose/package-files.ts')
  process.stdout.write(`${packageVersion()}\n`)
} else {
  const { startSmall } = await import('./young-generation.ts')
  startSmall()
  const { keepCompiled } = await import('./compile-cache.ts')
  keepCompiled()
  const { leaveUncompiled } = await import('./uncompiled-schemas.ts')
  leaveUncompiled()
  const { withPackages } = await import('../errors/optional-package.ts')
  const { main } = await withPackages(['commander'], () => import('./main.ts')).catch((error: unknown) => {
    process.stderr.write(`countersign: ${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(1)
  })
  process.exitCode = await main(process.argv)
}
