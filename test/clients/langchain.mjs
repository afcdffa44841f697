// LangChain: an agent of LangGraph over the tools of its MCP adapters. A result reaches the model as JSON, with its structured
// part and its `_meta` beside the text; of an argument that may be null (`anyOf`) the model is not told the type.
import { MultiServerMCPClient } from '@langchain/mcp-adapters'
import { ChatOpenAI } from '@langchain/openai'
import { createAgent } from 'langchain'
import { answer, job } from './job.mjs'

const { child, url } = job
const model = new ChatOpenAI({ model: 'scripted', apiKey: 'none', configuration: { baseURL: job.model } })

const client = new MultiServerMCPClient({
  mcpServers: { desk: url === undefined ? { transport: 'stdio', ...child } : { transport: 'http', url } },
})
const tools = await client.getTools()
const agent = createAgent({
  model,
  tools,
  systemPrompt: (await client.getClient('desk')).getInstructions(),
})

let messages = []
const replies = []
for (const content of job.said) {
  ;({ messages } = await agent.invoke({ messages: [...messages, { role: 'user', content }] }))
  replies.push(messages.at(-1).text)
}

const [read] = await client.readResource('desk', job.resource)
answer({ tools: tools.map(({ name }) => name), resource: read.text, replies })
