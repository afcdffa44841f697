import { troubleOf, type Trouble } from '../chat/trouble.ts'

/** Has this page's own server put the data of its demo back; answers why not, and never rejects. */
export async function startDemoOver(address: string, pageSecret: string): Promise<Trouble | undefined> {
  try {
    const answer = await fetch(address, { method: 'POST', headers: { 'x-countersign-page': pageSecret } })
    // A refusal says the rest, as one of MCP does.
    return answer.ok ? undefined : troubleOf(new Error(await answer.text()))
  } catch (error) {
    return troubleOf(error)
  }
}
