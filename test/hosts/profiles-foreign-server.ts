// A server that has nothing of ours but the grammar of the message, with a view as somebody would write it in an
// afternoon: it works where all goes well, and nowhere else.
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import {
  CallToolRequestSchema,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'

const view = `<!doctype html><meta charset="utf-8"><title>Note</title>
<h1>Write a note</h1><p id="what">Waiting for the preview…</p>
<button id="yes">Confirm note</button> <button id="no">Cancel</button>
<script>
  const send = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*')
  const say = (text) => send({ id: 2, method: 'ui/message', params: { role: 'user', content: [{ type: 'text', text }] } })
  addEventListener('message', ({ data }) => {
    if (data.id === 1) send({ method: 'ui/notifications/initialized', params: {} })
    if (data.method === 'ui/notifications/tool-result') what.textContent = data.params.content[0].text
  })
  yes.onclick = () => { say('Apply: call note(text="Hello", preview=False)'); yes.disabled = true; what.textContent = 'Done!' }
  no.onclick = () => { say('Cancel: do not apply the note (pl_1).'); yes.disabled = true }
  const appInfo = { name: 'note', version: '1' }
  send({ id: 1, method: 'ui/initialize', params: { appInfo, appCapabilities: {}, protocolVersion: '2026-01-26' } })
</script>`

const server = new Server({ name: 'Afternoon', version: '1' }, { capabilities: { tools: {}, resources: {} } })
server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: [
    {
      name: 'note',
      description: 'Writes a note.',
      inputSchema: {
        type: 'object',
        properties: {
          text: { type: 'string', examples: ['Hello'] },
          preview: { type: 'boolean', default: true },
        },
        required: ['text'],
      },
      _meta: { ui: { resourceUri: 'ui://note/view.html' } },
    },
  ],
}))
server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
  const text = params.arguments?.['preview'] === false ? 'The note is written.' : 'The note would be written.'
  return { content: [{ type: 'text', text }], structuredContent: { plan_id: 'pl_1' } }
})
server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: [] }))
server.setRequestHandler(ReadResourceRequestSchema, () => ({
  contents: [{ uri: 'ui://note/view.html', mimeType: 'text/html;profile=mcp-app', text: view }],
}))
await server.connect(new StdioServerTransport())
