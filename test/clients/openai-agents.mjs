// OpenAI Agents: its runner, over chat completions, with the server as one of the agent's own. The model gets the text of a
// result as it is, and not the server's instructions, which the SDK gives to nobody.
import {
  Agent,
  MCPServerStdio,
  MCPServerStreamableHttp,
  OpenAIChatCompletionsModel,
  run,
  setTracingDisabled,
  user,
} from '@openai/agents'
import OpenAI from 'openai'
import { answer, job } from './job.mjs'

const { child, url } = job
const model = new OpenAIChatCompletionsModel(new OpenAI({ apiKey: 'none', baseURL: job.model }), 'scripted')
setTracingDisabled(true)

const waits = { clientSessionTimeoutSeconds: 60 }
const server =
  url === undefined ? new MCPServerStdio({ ...child, ...waits }) : new MCPServerStreamableHttp({ url, ...waits })
await server.connect()
const agent = new Agent({
  name: 'assistant',
  model,
  mcpServers: [server],
})

let history = []
const replies = []
for (const text of job.said) {
  const result = await run(agent, [...history, user(text)])
  history = result.history
  replies.push(result.finalOutput)
}

const { contents } = await server.readResource(job.resource)
answer({ tools: (await server.listTools()).map(({ name }) => name), resource: contents[0].text, replies })
