import { troubleOf, type Trouble } from '../chat/trouble.ts'

/**
 * Opens the page of an approval in a tab of its own, signed in there as an operator, by a link of the demo that works once;
 * answers why not, and never rejects.
 */
export async function openAsOperator(
  address: string,
  pageSecret: string,
  approval: string,
): Promise<Trouble | undefined> {
  // Before anything is waited for: a browser opens tabs for a click only.
  const tab = open('', '_blank')
  try {
    const headers = { 'x-countersign-page': pageSecret, 'content-type': 'application/json' }
    const answer = await fetch(address, { method: 'POST', headers, body: JSON.stringify({ approval }) })
    if (!answer.ok) throw new Error(await answer.text())
    const { signedIn } = await import('./signed-in.ts')
    const { path } = signedIn.parse(await answer.json())
    if (tab === null) location.assign(path)
    else {
      tab.opener = null
      tab.location.href = path
    }
    return undefined
  } catch (error) {
    tab?.close()
    return troubleOf(error)
  }
}
