// The AI SDK: its own loop over the tools that its MCP client lists. Where a model speaks chat completions, the text of a result
// reaches it as a list of parts in JSON.
import { createMCPClient } from '@ai-sdk/mcp'
import { StdioMCPTransport } from '@ai-sdk/mcp/mcp-stdio'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, isStepCount } from 'ai'
import { answer, job } from './job.mjs'

const { child, url } = job
const model = createOpenAICompatible({ name: 'scripted', baseURL: job.model, apiKey: 'none' })('scripted')

const client = await createMCPClient({
  transport: url === undefined ? new StdioMCPTransport(child) : { type: 'http', url },
})
const agent = {
  model,
  instructions: client.instructions,
  tools: await client.tools(),
  stopWhen: isStepCount(20),
}

const chat = []
const replies = []
for (const content of job.said) {
  chat.push({ role: 'user', content })
  const { text, responseMessages } = await generateText({ ...agent, messages: chat })
  chat.push(...responseMessages)
  replies.push(text)
}

const { contents } = await client.readResource({ uri: job.resource })
answer({ tools: Object.keys(agent.tools), resource: contents[0].text, replies })
