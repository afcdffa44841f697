// Statements of public test suites. Each suite has a language of its own around its SQL: psql's commands, Tcl, mysqltest,
// batches that end with GO. What is not SQL goes; what is cut wrongly counts as SQL that nobody can read.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { SqlDialect as KnownDialect } from '../../server/gateway/programs/sql/sql.ts'

/** How files of a dialect end, and how statements are cut out of them. */
const suites: Readonly<
  Record<KnownDialect, { readonly file: RegExp; readonly cut: (text: string) => readonly string[] }>
> = {
  postgresql: { file: /\.sql$/, cut: ofPsql },
  sqlite: { file: /\.test$/, cut: ofTcl },
  mysql: { file: /\.test$/, cut: ofMysqltest },
  tsql: { file: /\.(?:sql|mix|txt)$/, cut: ofBatches },
}

/** The statements of every file below a folder, in their order. */
export function filesOfStatements(folder: string, dialect: KnownDialect): readonly (readonly string[])[] {
  const { file, cut } = suites[dialect]
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => file.test(basename(name)) && statSync(join(folder, name)).isFile())
    .sort()
    .map((name) => cut(readFileSync(join(folder, name), 'latin1')).map((each) => each.trim()))
    .map((statements) => statements.filter((each) => each !== ''))
}

/** At a semicolon outside of quotes, comments and dollar quotes. */
function atSemicolons(text: string): readonly string[] {
  const statements: string[] = []
  let from = 0
  const parts = /'(?:[^']|'')*'|"[^"]*"|`[^`]*`|--[^\n]*|\/\*[\s\S]*?\*\/|\$(\w*)\$[\s\S]*?\$\1\$|;/g
  for (const found of text.matchAll(parts)) {
    if (found[0] !== ';') continue
    statements.push(text.slice(from, found.index))
    from = found.index + 1
  }
  return [...statements, text.slice(from)]
}

function ofPsql(text: string): readonly string[] {
  const plain = text
    .replaceAll(/^\s*\\[^\n]*$/gm, '')
    .replaceAll(/(copy[^;]*from stdin[^;]*;)[\s\S]*?\n\\\.$/gim, '$1')
    .replaceAll(/\\(?:gset|gexec|g|gdesc|crosstabview)[^\n]*$/gm, ';')
  return atSemicolons(plain)
}

function ofTcl(text: string): readonly string[] {
  const found = text.matchAll(/\b(?:execsql2?|catchsql|db2? eval|do_(?:execsql|catchsql|eqp)_test\s+\S+)\s+\{/g)
  return [...found].flatMap(({ index, 0: head }) => {
    let depth = 1
    let at = index + head.length
    for (; at < text.length && depth > 0; at++) depth += text[at] === '{' ? 1 : text[at] === '}' ? -1 : 0
    return atSemicolons(text.slice(index + head.length, at - 1))
  })
}

const mysqltest =
  /^\s*(?:let|eval|if|while|connect|connection|disconnect|source|echo|exec|error|send|reap|inc|dec|sleep|perl|die|exit|skip|disable_\w+|enable_\w+|sorted_result|replace_\w+|remove_file|write_file|append_file|cat_file|copy_file|query_vertical|query_horizontal|vertical_results|horizontal_results|delimiter|result_format|sync_\w+|save_\w+|change_user|real_sleep|character_set|file_exists|list_files|mkdir|rmdir|chmod|require|shutdown_server|dirty_close|ping|end|start_timer|\}|\{)\b/i

function ofMysqltest(text: string): readonly string[] {
  const plain = text
    .replaceAll(/^delimiter\s+(\S+);[\s\S]*?^delimiter\s+;\s*\S+/gim, '')
    .replaceAll(/^\s*(?:--\s*\w|#)[^\n]*$/gm, '')
    .replaceAll(/^\s*(?:perl|write_file|append_file)\b[\s\S]*?^EOF$/gm, '')
  return atSemicolons(plain).filter((each) => !mysqltest.test(each) && !/[$}{]/.test(each))
}

function ofBatches(text: string): readonly string[] {
  return text
    .replaceAll(/^\s*-- (?:psql|tsql)[^\n]*$/gm, '')
    .split(/^\s*go\s*$/im)
    .flatMap((batch) => atSemicolons(batch))
}
