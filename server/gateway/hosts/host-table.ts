// Where people have their servers already: fifteen hosts, each with its own file, place and dialect of the same idea. They
// differ as data, so they stand here as data; what reads and writes them knows none by name. Read from each host's
// documentation or source in November 2026 (docs/guides/hosts.md says which).
import {
  pathsOf,
  placesOf,
  type HostFile,
  type HostKind,
  type KeyPath,
  type Machine,
  type Places,
  type Start,
} from './host-kind.ts'

const withEnv = (env: Start['env']): object => (Object.keys(env).length === 0 ? {} : { env })
const plain: HostKind['entry'] = ({ command, args, env }) => ({ command, args, ...withEnv(env) })
const mcpServers = (): readonly KeyPath[] => [['mcpServers']]

const codeProducts = ['Code', 'Code - Insiders'] as const
const editorFiles = ['mcp.json', 'settings.json'] as const

/** VS Code and what is built from it alone: files and switches of its user, and of each profile. */
const editorOf = (products: readonly string[]): Pick<HostKind, 'files' | 'editor'> => ({
  files: ({ settings }) => products.flatMap((product) => editorFiles.map((file) => settings(product, 'User', file))),
  editor: {
    folders: ({ settings }) => products.map((product) => settings(product, 'User')),
    switches: 'mcp.enablement',
    profileFiles: editorFiles,
  },
})
const vsCode = {
  format: 'json',
  servers: () => [['servers'], ['mcp', 'servers'], ['mcp.servers']],
  placeholders: ['env', 'input', 'folders'],
  reference: (name) => `\${env:${name}}`,
  entry: (start) => ({ type: 'stdio', ...plain(start) }),
} as const satisfies Partial<HostKind>

const clineFile = ['globalStorage', 'saoudrizwan.claude-dev', 'settings', 'cline_mcp_settings.json'] as const

/** A server's name in the names of its tools. */
const slug = (server: string): string => server.replaceAll(/[^A-Za-z0-9_-]/g, '_')

const claudeSettings = [
  ({ project }: Places) => project('.claude', 'settings.local.json'),
  ({ project }: Places) => project('.claude', 'settings.json'),
  ({ machine, home }: Places) =>
    machine.env['CLAUDE_CONFIG_DIR'] === undefined
      ? home('.claude', 'settings.json')
      : pathsOf(machine).join(machine.env['CLAUDE_CONFIG_DIR'], 'settings.json'),
]

const hosts: readonly HostKind[] = [
  {
    name: 'Claude Desktop',
    format: 'json',
    files: ({ settings }) => [settings('Claude', 'claude_desktop_config.json')],
    servers: mcpServers,
    placeholders: [],
    unread: true,
    entry: plain,
  },
  {
    name: 'Claude Code',
    format: 'json',
    files: ({ machine, home }) => [
      machine.env['CLAUDE_CONFIG_DIR'] === undefined
        ? home('.claude.json')
        : pathsOf(machine).join(machine.env['CLAUDE_CONFIG_DIR'], '.claude.json'),
    ],
    projectFiles: ['.mcp.json'],
    servers: ({ cwd }) => [['mcpServers'], ['projects', cwd, 'mcpServers']],
    placeholders: ['braces'],
    // It refuses the whole entry where a variable without a default is not set.
    reference: (name) => `\${${name}:-}`,
    off: [
      { at: ({ cwd }) => ['projects', cwd, 'disabledMcpServers'], form: 'off' },
      ...claudeSettings.map((file) => ({ file, at: () => ['disabledMcpjsonServers'], form: 'off' }) as const),
    ],
    toolRules: {
      prefix: (server) => `mcp__${slug(server)}__`,
      places: claudeSettings.map((file) => ({ file, at: () => ['permissions', 'deny'] })),
    },
    entry: plain,
  },
  {
    name: 'Cursor',
    format: 'json',
    files: ({ home }) => [home('.cursor', 'mcp.json')],
    projectFiles: ['.cursor/mcp.json'],
    servers: mcpServers,
    placeholders: ['env', 'folders'],
    reference: (name) => `\${env:${name}}`,
    editor: { folders: ({ settings }) => [settings('Cursor', 'User')], switches: 'cursor/disabledMcpServers' },
    entry: plain,
  },
  { name: 'VS Code', ...vsCode, ...editorOf(codeProducts), projectFiles: ['.vscode/mcp.json'] },
  { name: 'VSCodium', ...vsCode, ...editorOf(['VSCodium']) },
  {
    name: 'Windsurf',
    format: 'json',
    files: ({ home }) => [home('.codeium', 'windsurf', 'mcp_config.json')],
    servers: mcpServers,
    placeholders: ['env', 'file'],
    reference: (name) => `\${env:${name}}`,
    entry: plain,
  },
  {
    name: 'Zed',
    format: 'json',
    files: ({ config, machine }) => [config(machine.platform === 'win32' ? 'Zed' : 'zed', 'settings.json')],
    projectFiles: ['.zed/settings.json'],
    servers: () => [['context_servers']],
    placeholders: [],
    timeout: { unit: 's', of: 'call' },
    toolRules: {
      prefix: (server) => `mcp:${server}:`,
      places: [{ at: () => ['agent', 'tool_permissions', 'tools'] }],
    },
    entry: (start) => ({ source: 'custom', enabled: true, ...plain(start) }),
  },
  {
    name: 'Codex',
    format: 'toml',
    files: ({ machine, home }) => [
      machine.env['CODEX_HOME'] === undefined
        ? home('.codex', 'config.toml')
        : pathsOf(machine).join(machine.env['CODEX_HOME'], 'config.toml'),
    ],
    projectFiles: ['.codex/config.toml'],
    servers: () => [['mcp_servers']],
    placeholders: [],
    reference: (name) => name,
    // It hands through what is named, and names nothing else.
    entry: ({ command, args, env }) => ({
      command,
      args,
      ...(Object.keys(env).length === 0 ? {} : { env_vars: Object.keys(env) }),
    }),
  },
  {
    name: 'Gemini CLI',
    format: 'json',
    files: ({ home }) => [home('.gemini', 'settings.json')],
    projectFiles: ['.gemini/settings.json'],
    servers: mcpServers,
    placeholders: ['braces', 'dollar'],
    reference: (name) => `$${name}`,
    timeout: { unit: 'ms', of: 'call' },
    off: [
      { at: () => ['mcp', 'excluded'], form: 'off' },
      { at: () => ['mcp', 'allowed'], form: 'on' },
      { file: ({ home }) => home('.gemini', 'mcp-server-enablement.json'), at: () => [], form: 'flags' },
    ],
    entry: plain,
  },
  {
    name: 'opencode',
    format: 'json',
    files: ({ config, home, machine }) =>
      ['opencode.jsonc', 'opencode.json', 'config.json'].map((file) =>
        machine.platform === 'win32' ? home('.config', 'opencode', file) : config('opencode', file),
      ),
    projectFiles: ['opencode.jsonc', 'opencode.json', '.opencode/opencode.json'],
    servers: () => [['mcp']],
    placeholders: ['curly'],
    reference: (name) => `{env:${name}}`,
    timeout: { unit: 'ms', of: 'start' },
    toolRules: {
      prefix: (server) => `${slug(server)}_`,
      places: [{ at: () => ['tools'] }, { at: () => ['permission'] }],
    },
    entry: ({ command, args, env }) => ({
      type: 'local',
      command: [command, ...args],
      enabled: true,
      ...(Object.keys(env).length === 0 ? {} : { environment: env }),
    }),
  },
  {
    name: 'Goose',
    format: 'yaml',
    files: ({ config, machine }) => [
      machine.platform === 'win32' ? config('Block', 'goose', 'config', 'config.yaml') : config('goose', 'config.yaml'),
    ],
    servers: () => [['extensions']],
    placeholders: ['braces', 'dollar'],
    reference: (name) => name,
    toolRules: {
      prefix: (server) => `${server.toLowerCase().replaceAll(/\s/g, '')}__`,
      places: [
        {
          file: ({ config, machine }) =>
            machine.platform === 'win32'
              ? config('Block', 'goose', 'config', 'permission.yaml')
              : config('goose', 'permission.yaml'),
          at: () => ['user', 'never_allow'],
        },
      ],
    },
    timeout: { unit: 's', of: 'call' },
    entry: ({ command, args, env }) => ({
      name: 'countersign',
      description: 'Countersign, in front of other servers',
      type: 'stdio',
      enabled: true,
      cmd: command,
      args,
      envs: {},
      env_keys: Object.keys(env),
      timeout: 300,
    }),
  },
  {
    name: 'LM Studio',
    format: 'json',
    files: ({ home }) => [home('.lmstudio', 'mcp.json'), home('.cache', 'lm-studio', 'mcp.json')],
    servers: mcpServers,
    placeholders: [],
    entry: plain,
  },
  {
    name: 'Cline',
    format: 'json',
    files: ({ settings, home, machine }) => [
      ...[...codeProducts, 'VSCodium', 'Cursor', 'Windsurf'].map((product) => settings(product, 'User', ...clineFile)),
      machine.env['CLINE_MCP_SETTINGS_PATH'] ?? home('.cline', 'data', 'settings', 'cline_mcp_settings.json'),
    ],
    servers: mcpServers,
    placeholders: ['env'],
    reference: (name) => `\${env:${name}}`,
    timeout: { unit: 's', of: 'call' },
    entry: plain,
  },
  {
    name: 'Kiro',
    format: 'json',
    files: ({ home }) => [home('.kiro', 'settings', 'mcp.json')],
    projectFiles: ['.kiro/settings/mcp.json'],
    servers: mcpServers,
    placeholders: ['braces', 'env'],
    reference: (name) => `\${${name}}`,
    timeout: { unit: 'ms', of: 'call' },
    entry: plain,
  },
  {
    name: 'Copilot CLI',
    format: 'json',
    files: ({ home, machine }) => [
      machine.env['COPILOT_HOME'] === undefined
        ? home('.copilot', 'mcp-config.json')
        : pathsOf(machine).join(machine.env['COPILOT_HOME'], 'mcp-config.json'),
    ],
    projectFiles: ['.github/mcp.json'],
    servers: mcpServers,
    placeholders: ['braces', 'dollar'],
    reference: (name) => `\${${name}}`,
    timeout: { unit: 'ms', of: 'call' },
    off: ['settings.json', 'config.json'].map((name) => ({
      file: ({ home }) => home('.copilot', name),
      at: () => ['disabledMcpServers'],
      form: 'off',
    })),
    entry: (start) => ({ type: 'local', ...plain(start), tools: ['*'] }),
  },
]

/** The names of the hosts that are known. */
export const hostNames: readonly string[] = hosts.map(({ name }) => name)

/** Where the hosts keep their files on this machine, each once. Pure; none of them need exist. */
export function hostFiles(machine: Machine): readonly HostFile[] {
  const places = placesOf(machine)
  const files = hosts.flatMap((kind): HostFile[] => [
    ...kind.files(places).map((path) => ({ host: kind.name, path, kind })),
    ...(kind.projectFiles ?? []).map((file) => ({
      host: kind.name,
      path: places.project(...file.split('/')),
      folder: machine.cwd,
      kind,
    })),
  ])
  // In the home folder a file may be both: then it is the user's own, which stands first.
  return files.filter((file, index) => files.findIndex(({ path }) => path === file.path) === index)
}
