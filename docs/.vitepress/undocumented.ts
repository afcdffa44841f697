// The reference of the API is made of the types of the package and their docstrings, so a name without one has a page without a
// word. TypeDoc has a check of its own, which asks for one on every member of every shape within a type as well.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

const isDocumented = (node: ts.Node): boolean => ts.getJSDocCommentsAndTags(node).length > 0

type Named = readonly [name: string, node: ts.Node]

function namesIn(file: string, text: string): readonly Named[] {
  return ts
    .createSourceFile(file, text, ts.ScriptTarget.Latest, true)
    .statements.flatMap((statement): readonly Named[] => {
      if (ts.isVariableStatement(statement))
        return statement.declarationList.declarations.map((each) => [each.name.getText(), statement] as const)
      if (ts.isFunctionDeclaration(statement) || ts.isTypeAliasDeclaration(statement))
        return [[statement.name?.text ?? '', statement] as const]
      if (!ts.isInterfaceDeclaration(statement) && !ts.isClassDeclaration(statement)) return []
      const name = statement.name?.text ?? ''
      // A constructor takes what the class says.
      const members = [...statement.members].filter((member) => member.name !== undefined)
      return [[name, statement] as const, ...members.map((each) => [`${name}.${each.name?.getText()}`, each] as const)]
    })
}

/** All names of types in this folder of declarations, and those of them that have no docstring. */
export function docstringsOf(folder: string): { readonly all: readonly string[]; readonly missing: readonly string[] } {
  const names = readdirSync(folder)
    .filter((file) => file.endsWith('.d.ts'))
    .flatMap((file) => namesIn(file, readFileSync(join(folder, file), 'utf8')))
  return {
    all: names.map(([name]) => name),
    missing: names.filter(([, node]) => !isDocumented(node)).map(([name]) => name),
  }
}
