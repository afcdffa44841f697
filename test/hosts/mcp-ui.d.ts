// React's DOM half is here for one page of one test and comes without types; this is all of it that the page uses.
declare module 'react-dom/client' {
  export function createRoot(place: Element): { render(element: unknown): void }
}
