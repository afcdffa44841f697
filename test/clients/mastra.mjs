// Mastra: an agent that is given the tools of all servers of its MCP client, each with its server's name before its own. It
// announces MCP Apps without any type of views, and would give its model also what only cards may call.
import { Agent } from '@mastra/core/agent'
import { MCPClient } from '@mastra/mcp'
import { answer, job } from './job.mjs'

const { child, url } = job
const model = { id: 'scripted/scripted', url: job.model, apiKey: 'none' }

const client = new MCPClient({
  servers: { desk: url === undefined ? child : { url: new URL(url), connectTimeout: 60_000 } },
})
const tools = await client.listTools()
const agent = new Agent({
  id: 'assistant',
  name: 'Assistant',
  instructions: client.getServerInstructions().desk ?? '',
  model,
  tools,
})

const chat = []
const replies = []
for (const content of job.said) {
  chat.push({ role: 'user', content })
  const { text, response } = await agent.generate(chat, { maxSteps: 20 })
  chat.push(...response.messages)
  replies.push(text)
}

const { contents } = await client.resources.read('desk', job.resource)
answer({ tools: Object.keys(tools), resource: contents[0].text, replies })
