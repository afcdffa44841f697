// By what an operator starts a server is recognised and named: a word too many, and a profile counts for the wrong server;
// the wrong word, and somebody's key is the name of a server, in every record.
import { array, assert, constantFrom, property, stringMatching, tuple } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nameFrom, startedFrom, type StartedFrom } from '../../../../server/gateway/upstream/settings/started-from.ts'

/** A command line as a host's file has it; an argument with blanks stands in single quotes. */
const wordsOf = (line: string): readonly string[] =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')

const from = (line: string): StartedFrom => {
  const [command = '', ...args] = wordsOf(line)
  return startedFrom({ command, args })
}

describe('a command line says what it starts, and what that is called', () => {
  test.each<readonly [line: string, origin: StartedFrom, name: string]>([
    // npm
    ['npx -y @playwright/mcp@latest', { npm: '@playwright/mcp' }, 'playwright'],
    ['npx -y @stripe/mcp --api-key=sk_live_abc', { npm: '@stripe/mcp' }, 'stripe'],
    ['npx -y @upstash/context7-mcp@1.0.14 --api-key KEY', { npm: '@upstash/context7-mcp' }, 'context7'],
    [
      'npx @modelcontextprotocol/server-filesystem /data',
      { npm: '@modelcontextprotocol/server-filesystem' },
      'filesystem',
    ],
    ['npx -p @azure/mcp azmcp server start', { npm: '@azure/mcp' }, 'azure'],
    ['npx --package=@azure/mcp -- azmcp server start', { npm: '@azure/mcp' }, 'azure'],
    ['npx -y --registry https://npm.example/ notes-mcp', { npm: 'notes-mcp' }, 'notes'],
    ['npx -y notes-mcp -p 8080', { npm: 'notes-mcp' }, 'notes'],
    ['npx -y notes-mcp --package @modelcontextprotocol/server-filesystem', { npm: 'notes-mcp' }, 'notes'],
    ['npx -y filesystem@npm:other-mcp', { npm: 'other-mcp' }, 'other'],
    ['npx -y github:acme/notes-mcp', { command: 'notes-mcp' }, 'notes'],
    ['npx -y git+https://ada:hunter2@git.example/acme/notes-mcp.git#v2', { command: 'notes-mcp' }, 'notes'],
    ['npx -y https://ada:hunter2@files.example/notes-mcp.tgz?key=hunter2', { command: 'notes-mcp' }, 'notes'],
    ['npx ./build/notes', { command: 'notes' }, 'notes'],
    ['pnpm dlx notes-mcp', { npm: 'notes-mcp' }, 'notes'],
    ['pnpm --dir /x dlx notes-mcp', { npm: 'notes-mcp' }, 'notes'],
    ['yarn dlx notes-mcp', { npm: 'notes-mcp' }, 'notes'],
    ['npm exec --yes notes-mcp@2', { npm: 'notes-mcp' }, 'notes'],
    ['npm exec -- notes-mcp', { npm: 'notes-mcp' }, 'notes'],
    ['npm --prefix /x run start:notes', { command: 'start:notes' }, 'start-notes'],
    ['bunx notes-mcp', { npm: 'notes-mcp' }, 'notes'],
    ['bun x notes-mcp', { npm: 'notes-mcp' }, 'notes'],
    ['bun run notes.ts', { command: 'notes' }, 'notes'],
    ['bun notes.ts', { command: 'notes' }, 'notes'],
    ['deno run -A npm:@acme/notes-mcp@1.2.3/bin --key KEY', { npm: '@acme/notes-mcp' }, 'notes'],
    ['deno run --allow-net=api.example notes.ts', { command: 'notes' }, 'notes'],
    ['node /x/node_modules/@a/b/dist/index.js', { npm: '@a/b', command: 'index' }, 'b'],
    ['node /x/node_modules/.pnpm/a@1/node_modules/a/dist/index.js', { npm: 'a', command: 'index' }, 'a'],
    ['/x/node_modules/.bin/mcp-server-filesystem /data', { command: 'mcp-server-filesystem' }, 'filesystem'],
    ['node --env-file .env --import tsx notes.ts', { command: 'notes' }, 'notes'],
    [`node -e 'serve("hunter2")'`, { command: 'node' }, 'node'],
    // Windows
    ['cmd /c npx -y notes-mcp', { npm: 'notes-mcp' }, 'notes'],
    ['cmd.exe /d /s /c npx -y notes-mcp', { npm: 'notes-mcp' }, 'notes'],
    [`'C:\\Program Files\\nodejs\\npx.cmd' -y notes-mcp`, { npm: 'notes-mcp' }, 'notes'],
    [`C:\\tools\\Notes.exe --db C:\\x.db`, { command: 'Notes' }, 'Notes'],
    [
      `node 'C:\\Users\\Ada L\\AppData\\Roaming\\npm\\node_modules\\@a\\b\\dist\\index.js'`,
      { npm: '@a/b', command: 'index' },
      'b',
    ],
    [`py -m notes_mcp`, { pypi: 'notes-mcp' }, 'notes'],
    // Python
    ['uvx mcp-server-git --repository /x', { pypi: 'mcp-server-git' }, 'git'],
    ['uvx mcp-server-git@latest', { pypi: 'mcp-server-git' }, 'git'],
    [`uvx 'mcp_server.git[cli]==1.2'`, { pypi: 'mcp-server-git' }, 'git'],
    ['uvx notes-mcp --from mcp-server-git', { pypi: 'notes-mcp' }, 'notes'],
    ['uvx --from notes-mcp notes --spec mcp-server-git', { pypi: 'notes-mcp' }, 'notes'],
    ['uvx --from git+https://github.com/oraios/serena serena start', { command: 'serena' }, 'serena'],
    ['uvx --from git+https://github.com/oraios/serena@v1 serena', { command: 'serena' }, 'serena'],
    ['uvx --from git+ssh://git@github.com/oraios/serena.git serena', { command: 'serena' }, 'serena'],
    ['uvx --from git+https://ada:hunter2@git.example/acme/notes.git notes', { command: 'notes' }, 'notes'],
    [`uvx --from 'mcp-server-git @ git+https://git.example/evil/notes' notes`, { command: 'notes' }, 'notes'],
    ['uv --directory /x run server.py', { command: 'server' }, 'server'],
    ['uv run --with mcp mcp run notes.py', { command: 'notes' }, 'notes'],
    ['uv tool run notes-mcp', { pypi: 'notes-mcp' }, 'notes'],
    ['uv run python -m notes_mcp', { pypi: 'notes-mcp' }, 'notes'],
    ['pipx run --spec notes-mcp notes', { pypi: 'notes-mcp' }, 'notes'],
    ['python -m mcp_server_git --repository /x', { pypi: 'mcp-server-git' }, 'git'],
    ['/usr/bin/python3.12 -u -X utf8 notes.py -m mcp_server_git', { command: 'notes' }, 'notes'],
    [`python -c 'import x' hunter2`, { command: 'python' }, 'python'],
    // Containers
    [
      'docker run -i --rm -e GITHUB_TOKEN ghcr.io/github/github-mcp-server',
      { image: 'ghcr.io/github/github-mcp-server' },
      'github',
    ],
    ['docker run -i --rm -e TOKEN=hunter2 mcp/notes:1.2 --key KEY', { image: 'mcp/notes' }, 'notes'],
    ['docker run -it --rm --init --name=x -v /a:/b docker.io/mcp/notes@sha256:00ff', { image: 'mcp/notes' }, 'notes'],
    [
      'podman run -i --network host --env-file .env localhost:5000/acme/notes:2',
      { image: 'localhost:5000/acme/notes' },
      'notes',
    ],
    ['docker exec -i container notes', { command: 'docker' }, 'docker'],
    ['docker compose run --rm notes', { command: 'docker' }, 'docker'],
    // What stands before a command, and what stands for another server
    ['env FOO=1 BAR=2 npx -y notes-mcp', { npm: 'notes-mcp' }, 'notes'],
    ['env -i -u HOME FOO=1 npx -y notes-mcp', { npm: 'notes-mcp' }, 'notes'],
    ['env TOKEN=hunter2', {}, 'server'],
    ['cross-env FOO=1 npx -y notes-mcp', { npm: 'notes-mcp' }, 'notes'],
    ['npx -y mcp-remote https://mcp.linear.app/sse', { host: 'mcp.linear.app' }, 'linear'],
    [
      `npx mcp-remote@latest https://mcp.example.co.uk/mcp --header 'Authorization: Bearer hunter2'`,
      { host: 'mcp.example.co.uk' },
      'example',
    ],
    ['npx mcp-remote', { npm: 'mcp-remote' }, 'remote'],
    ['', { command: '' }, 'server'],
  ])('%s', (line, origin, name) => {
    expect(from(line)).toEqual(origin)
    expect(nameFrom(from(line))).toBe(name)
  })
})

test.each([
  ['https://mcp.stripe.com/', 'stripe'],
  ['https://API.Example.com:8443/mcp?key=hunter2', 'example'],
  ['http://127.0.0.1:3000/mcp', '127.0.0.1'],
  ['http://localhost/mcp', 'localhost'],
  ['not an address', 'server'],
])('a remote server is called by its host: %s', (url, name) => {
  expect(nameFrom(startedFrom({ url }))).toBe(name)
})

describe('whatever stands in a command line', () => {
  const secret = stringMatching(/^sk[A-Za-z0-9]{20}$/)
  const option = constantFrom('-e', '--env', '--header', '-H', '--api-key', '--token')
  const given = tuple(option, secret).map(([name, value]) => [name, `KEY=${value}`] as const)
  const joined = tuple(option, secret).map(([name, value]) => [`${name}=${value}`] as const)
  const starters = [
    (words: readonly string[]) => ['docker', 'run', '-i', ...words, 'acme/notes'],
    (words: readonly string[]) => ['docker', 'run', '-i', 'acme/notes', ...words],
    (words: readonly string[]) => ['npx', '-y', 'notes-mcp', ...words],
    (words: readonly string[]) => ['uvx', 'notes-mcp', ...words],
    (words: readonly string[]) => ['node', 'notes.js', ...words],
    (words: readonly string[]) => ['python', '-m', 'notes', ...words],
    (words: readonly string[]) => ['npx', 'mcp-remote', 'https://notes.example/mcp', ...words],
    (words: readonly string[]) => ['cmd', '/c', 'npx', '-y', 'notes-mcp', ...words],
  ] as const

  test('no key in it ever becomes a name, or what the server is recognised by', () => {
    assert(
      property(
        constantFrom(...starters),
        array(given, { maxLength: 3 }),
        array(joined, { maxLength: 2 }),
        (line, a, b) => {
          const [command = '', ...args] = line([...a, ...b].flat())
          const origin = startedFrom({ command, args })
          expect(JSON.stringify(origin)).not.toMatch(/sk[A-Za-z0-9]{20}/)
          expect(nameFrom(origin)).toBe('notes')
        },
      ),
    )
  })

  test('a name is one that a settings file takes', () => {
    const word = stringMatching(/^[ -~]{0,60}$/)
    assert(
      property(array(word, { minLength: 1, maxLength: 6 }), ([command = '', ...args]) => {
        expect(nameFrom(startedFrom({ command, args }))).toMatch(/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,39}$/)
      }),
    )
  })
})
