// Where the package that reads a program is missing, a call with one is never less than what its parser could have found.
import { describe, expect, test, vi } from 'vitest'
import type { ProgramLanguage } from '../../../../server/gateway/programs/read-program.ts'
import { decide, type Facts } from '../../../../server/policy/decide.ts'
import { defaultProof } from '../../../../server/policy/proof.ts'

// As in a process that has just started: other tests of this one have loaded the parsers.
vi.resetModules()
const { harmIn } = await import('../../../../server/gateway/programs/read-program.ts')
const { postgresParser } = await import('../../../../server/gateway/programs/sql/postgres-parser.ts')
const { shellParser } = await import('../../../../server/gateway/programs/shell/parser.ts')
const { ratedByProfile } = await import('../../../../server/gateway/profiles/tool-profile.ts')
const { assess } = await import('../../../../server/gateway/rating/assess.ts')

const rated = (name: string, description: string, args: Readonly<Record<string, string>>) =>
  assess(
    {
      tool: {
        name,
        description,
        inputSchema: {
          type: 'object',
          properties: Object.fromEntries(Object.keys(args).map((each) => [each, { type: 'string' }])),
        },
      },
      variant: 'call_tool_read',
      server: { tools: {} },
    },
    args,
  )

test('no parser is loaded here', () => {
  expect([shellParser(), postgresParser()]).toEqual([undefined, undefined])
})

const calls = [
  ['bash', 'Run a bash command', { command: 'rm -rf build' }, 'unbash'],
  ['bash', 'Run a bash command', { command: 'ls' }, 'unbash'],
  ['run_command', 'Runs it', { command: 'rm -rf build' }, 'unbash'],
  ['create_job', 'Creates a job', { command: 'rm -rf build' }, 'unbash'],
  ['create_job', 'Creates a job in the database', { command: 'rm -rf build' }, 'unbash'],
  ['run_query', 'Runs a SQL query on the PostgreSQL database', { sql: 'DROP TABLE users' }, 'libpg-query'],
  ['run_query', 'Runs a SQL query on the PostgreSQL database', { sql: 'SELECT 1' }, 'libpg-query'],
  // Some database runs it, and it may be PostgreSQL.
  ['run_query', 'Runs a SQL query', { sql: 'DROP TABLE users' }, 'libpg-query'],
] as const

describe.each(calls)('%s, %s, with %j', (name, description, args, missing) => {
  test('is critical, and says for want of what', () => {
    const { risk, operation, reasons } = rated(name, description, args)
    expect([risk, operation]).toEqual(['critical', 'destructive'])
    expect(reasons.join(' ')).toContain(`(the package ${missing}, which reads`)
  })

  const asking: Omit<Facts, 'operation' | 'risk'> = {
    intent: 'apply',
    proof: 'none',
    cards: 'yes',
    required: defaultProof,
    autonomous: true,
    dryRunRequired: false,
    stepUp: false,
    people: false,
    approved: false,
    frozen: false,
    autoApproveHigh: false,
    hostConfirms: false,
    granted: false,
  }

  test.each<Partial<Facts>>([{ autoApproveHigh: true }, { hostConfirms: true }, { granted: true }])(
    'does not run unasked where %j',
    (given) => {
      expect(decide({ ...asking, ...given, ...rated(name, description, args) }).kind).not.toBe('allow')
      const people = { ...asking, ...given, people: true, ...rated(name, description, args) }
      expect(decide(people).kind).not.toBe('allow')
    },
  )
})

test.each<readonly [ProgramLanguage, string]>([
  [{ language: 'shell' }, 'ls'],
  [{ language: 'shell', dialect: 'posix' }, 'ls'],
  [{ language: 'sql' }, 'SELECT 1'],
  [{ language: 'sql', dialect: 'postgresql' }, 'SELECT 1'],
])('of %j the harm is the worst', (language, text) => {
  expect(harmIn(language, text)).toMatchObject({ risk: 'critical', operation: 'destructive' })
})

test('SQL of another database is read without that parser', () => {
  expect(harmIn({ language: 'sql', dialect: 'sqlite' }, 'SELECT 1')).toBeUndefined()
})

test('a profile says no less of it', () => {
  const program = { language: 'shell', argument: '/command' } as const
  const tool = { server: 'Jobs', operation: 'read', lowers: true, program } as Parameters<typeof ratedByProfile>[0]
  expect(ratedByProfile(tool, { command: 'ls' })).toMatchObject({ risk: 'critical', operation: 'destructive' })
})
