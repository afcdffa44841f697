/** What the server wrote into this page under a name; empty where there is none. */
export const pageMeta = (name: string): string =>
  document.querySelector<HTMLMetaElement>(`meta[name="countersign-${name}"]`)?.content ?? ''
