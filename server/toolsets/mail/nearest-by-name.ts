import { nearest } from '../../errors/nearest.ts'

/** The one whose name is most like what an agent gave as an id: it may take the name for the id. */
export function nearestByName<Named extends { readonly name: string }>(
  id: string,
  all: readonly Named[],
): Named | undefined {
  const names = all.map(({ name }) => name)
  const [name] = nearest(id, names, 1)
  return all.find((each) => each.name === name)
}
