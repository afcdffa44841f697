// The file of every host as its documentation has it, in a home of their own: one server each that starts a program, and
// what is peculiar to the host beside it.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A key that looks like one of a service, and opens nothing. */
export const madeUpKey = 'q7Rt2Lm9Xw4Zb8Vn3Kc6'

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`

/** The user's files by their path in the home folder, on Linux. */
export const userFiles: Readonly<Record<string, string>> = {
  '.config/Claude/claude_desktop_config.json': json({
    mcpServers: { desktop: { command: 'desktop-mcp', env: { LITERAL: '${NOT_REPLACED}' } } },
    globalShortcut: 'Ctrl+Space',
  }),
  '.claude.json': json({
    numStartups: 3,
    mcpServers: {
      claude: { type: 'http', url: 'https://claude.example/mcp', headers: { 'x-team': '${TEAM:-none}' } },
      resting: { command: 'resting-mcp' },
    },
    projects: {},
  }),
  '.cursor/mcp.json': json({
    mcpServers: { cursor: { command: 'npx @playwright/mcp@latest', env: { TOKEN: '${env:CURSOR_TOKEN}' } } },
  }),
  '.config/Code/User/mcp.json': `{
  // comments and commas, as VS Code writes them
  "inputs": [{ "id": "gh-token", "type": "promptString" }],
  "servers": {
    "code": { "type": "stdio", "command": "code-mcp", "args": ["--home", "\${userHome}"], "env": { "GH": "\${input:gh-token}" } },
  },
}
`,
  '.config/VSCodium/User/settings.json': json({
    'editor.fontSize': 13,
    mcp: { servers: { codium: { command: 'c' } } },
  }),
  '.codeium/windsurf/mcp_config.json': json({
    mcpServers: {
      windsurf: { serverUrl: 'https://windsurf.example/mcp', headers: { Authorization: 'Bearer ${env:SURF}' } },
      'windsurf-file': { command: 'surf', env: { KEY: '${file:/run/key}' }, disabledTools: ['drop'] },
    },
  }),
  '.config/zed/settings.json': `{
  // my editor
  "theme": "One Dark",
  "context_servers": {
    /* the older form */
    "zed-old": { "source": "custom", "command": { "path": "zed-mcp", "args": ["--old"], "env": { "A": "b" } } },
    "zed": { "command": "zed-mcp", "args": [], "env": {}, "enabled": false },
    "from-extension": { "source": "extension", "settings": {} },
  },
}
`,
  '.codex/config.toml': `# my agent
model = "gpt-5"   # the usual one

[mcp_servers.codex]
command = "codex-mcp"
args = ["--quiet"]
env_vars = ["CODEX_REGION"]
tool_timeout_sec = 90
disabled_tools = ["wipe"]

[mcp_servers.codex.env]
API_KEY = "${madeUpKey}" # secret

[mcp_servers.codex-remote]
url = "https://codex.example/mcp"
bearer_token_env_var = "CODEX_TOKEN"
http_headers = { "x-client" = "desk" }
enabled = false

[profiles.fast]
model = 'o3'
`,
  '.gemini/settings.json': json({
    ui: { theme: 'Default' },
    mcp: { excluded: ['gemini-off'] },
    mcpServers: {
      gemini: { httpUrl: 'https://gemini.example/mcp', headers: { 'x-key': '$GEM_KEY' }, timeout: 5000 },
      'gemini-off': { command: 'gem' },
      'gemini-resting': { command: 'gem', args: ['2'] },
    },
  }),
  '.gemini/mcp-server-enablement.json': json({ 'gemini-resting': { enabled: false } }),
  '.config/opencode/opencode.json': json({
    $schema: 'https://opencode.ai/config.json',
    mcp: {
      opencode: {
        type: 'local',
        command: ['bun', 'x', 'open-mcp'],
        environment: { K: '{env:OPEN_KEY}' },
        enabled: true,
      },
      'opencode-remote': { type: 'remote', url: 'https://open.example/mcp', enabled: false },
    },
  }),
  '.config/goose/config.yaml': `# goose
GOOSE_PROVIDER: anthropic
extensions:
  developer:
    bundled: true
    enabled: true
    name: developer
    type: builtin
  goose:
    type: stdio # a server of mine
    name: goose
    enabled: true
    cmd: uvx
    args: [goose-mcp]
    env_keys: [GOOSE_SECRET]
    envs:
      REGION: eu
    timeout: 300
  goose-remote: { type: streamable_http, uri: "https://goose.example/mcp", enabled: true }
`,
  '.lmstudio/mcp.json': json({
    mcpServers: { studio: { url: 'https://studio.example/mcp', headers: { Authorization: `Bearer ${madeUpKey}` } } },
  }),
  '.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json': json({
    mcpServers: {
      cline: { type: 'streamableHttp', url: 'https://cline.example/mcp', disabled: true, autoApprove: [] },
      'cline-local': { transport: { type: 'stdio', command: 'cline-mcp' }, timeout: 120 },
    },
  }),
  '.kiro/settings/mcp.json': json({
    mcpServers: { kiro: { command: 'kiro-mcp', env: { V: '${KIRO_V}' }, disabled: false, disabledTools: ['x'] } },
  }),
  '.copilot/mcp-config.json': json({
    mcpServers: {
      copilot: { type: 'local', command: 'copilot-mcp', args: [], tools: ['*'] },
      'copilot-off': { type: 'sse', url: 'https://copilot.example/sse', tools: ['read'] },
    },
  }),
  '.copilot/settings.json': json({ disabledMcpServers: ['copilot-off'] }),
}

/** Writes files into a folder. */
export function writeTree(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}
