import { useEffect, useRef } from 'preact/hooks'

/** Milliseconds between two looks: whoever saves a file looks at the page next. */
const lookEvery = 1_000

/** Calls back when the server behind this page was started anew; never where there is no address to ask. */
export function useGeneration(address: string, grown: () => void): void {
  const latest = useRef(grown)
  latest.current = grown
  useEffect(() => {
    if (address === '') return undefined
    let known: number | undefined
    const look = async (): Promise<void> => {
      if (document.hidden) return
      try {
        const { generation } = (await (await fetch(address)).json()) as { readonly generation: number }
        if (known !== undefined && generation !== known) latest.current()
        known = generation
      } catch {
        // That nobody answers is found out elsewhere.
      }
    }
    void look()
    const timer = setInterval(() => void look(), lookEvery)
    return () => clearInterval(timer)
  }, [address])
}
