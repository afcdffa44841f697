// The pages of the API are called as the package's two doors are imported, and not by the files that their types stand in.
import { Converter } from 'typedoc'

const names = { index: 'countersign', testing: 'countersign/testing' }

/** TypeDoc's own way to be extended. */
export function load(app) {
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const door of project.children ?? []) door.name = names[door.name] ?? door.name
  })
}
