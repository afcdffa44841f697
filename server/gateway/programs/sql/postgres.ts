// PostgreSQL's own parser says what a statement is. A statement reads where its whole tree is made of what is known to read:
// a kind of node, a function or an operator that stands on no list is one that may write.
import { operators, readingFunctions } from './functions.ts'
import type { Objection } from './reads.ts'

/** The parser's function, once it is loaded. */
export type PostgresParse = (text: string) => unknown

const nodes = new Set(
  `SelectStmt RawStmt ResTarget ColumnRef A_Star A_Const A_Expr A_ArrayExpr A_Indices A_Indirection BoolExpr BooleanTest
  NullTest CaseExpr CaseWhen CoalesceExpr MinMaxExpr FuncCall NamedArgExpr TypeCast TypeName CollateClause SubLink
  RangeVar RangeSubselect RangeFunction RangeTableFunc RangeTableFuncCol RangeTableSample JoinExpr CommonTableExpr
  WithClause Alias SortBy WindowDef GroupingSet GroupingFunc RowExpr ParamRef SQLValueFunction List String Integer Float
  Boolean BitString XmlExpr XmlSerialize ColumnDef BoolExpr DefElem
  JsonTable JsonTableColumn JsonTablePathSpec JsonFuncExpr JsonValueExpr JsonFormat JsonReturning JsonOutput JsonBehavior
  JsonArgument JsonIsPredicate JsonObjectConstructor JsonArrayConstructor JsonArrayQueryConstructor JsonKeyValue
  JsonObjectAgg JsonArrayAgg JsonAggConstructor JsonParseExpr JsonScalarExpr JsonSerializeExpr
  ExplainStmt VariableShowStmt`.split(/\s+/),
)

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The statements of a parsed text: the name of each, and what keeps it from being a read. */
export function postgresStatements(
  tree: unknown,
): readonly { readonly node: string; readonly objection: Objection | undefined }[] {
  const statements = isFields(tree) && Array.isArray(tree['stmts']) ? (tree['stmts'] as unknown[]) : []
  return statements.map((raw) => {
    const statement = isFields(raw) ? raw['stmt'] : undefined
    const node = isFields(statement) ? (Object.keys(statement)[0] ?? '') : ''
    const isQuery = ['SelectStmt', 'ExplainStmt', 'VariableShowStmt'].includes(node)
    return { node, objection: isQuery ? objectionIn(statement) : { is: 'no query' } }
  })
}

function objectionIn(value: unknown): Objection | undefined {
  if (Array.isArray(value)) return first(value as unknown[], objectionIn)
  if (!isFields(value)) return undefined
  return first(Object.entries(value), ([key, held]) => {
    if (key === 'intoClause') return { says: 'into' }
    if (key === 'lockingClause') return { says: 'for update' }
    if (!isNodeName(key)) return objectionIn(held)
    if (!nodes.has(key)) return { says: wordsOfNode(key) }
    return objectionToNode(key, isFields(held) ? held : {}) ?? objectionIn(held)
  })
}

/** Fields of a node begin with a small letter, its kind with a capital. */
const isNodeName = (key: string): boolean => /^[A-Z]/.test(key)

/** "DeleteStmt" as people write it. */
const wordsOfNode = (node: string): string =>
  node
    .replace(/Stmt$/, '')
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase()

function objectionToNode(node: string, fields: Fields): Objection | undefined {
  if (node === 'FuncCall') {
    const [name, schema] = namesOf(fields['funcname'])
    const isKnown = readingFunctions.postgresql.has(name) && (schema === undefined || schema === 'pg_catalog')
    return isKnown ? undefined : { calls: schema === undefined ? name : `${schema}.${name}` }
  }
  if (node === 'RangeTableSample') {
    const [name, schema] = namesOf(fields['method'])
    const isBuiltIn = /^(?:bernoulli|system)$/.test(name) && (schema === undefined || schema === 'pg_catalog')
    return isBuiltIn ? undefined : { calls: name }
  }
  if (node === 'A_Expr' || node === 'SubLink' || node === 'SortBy') {
    const [name, schema] = namesOf(fields[node === 'A_Expr' ? 'name' : node === 'SubLink' ? 'operName' : 'useOp'])
    const isBuiltIn =
      operators.has(name) || name === '' || /^(?:not )?(?:between|like|ilike|in)(?: symmetric)?$/i.test(name)
    return isBuiltIn && (schema === undefined || schema === 'pg_catalog') ? undefined : { calls: name }
  }
  return undefined
}

/** The last part of a qualified name, and what stands before it. */
function namesOf(list: unknown): readonly [string, string?] {
  const parts = (Array.isArray(list) ? (list as unknown[]) : []).map((part) => {
    const text = isFields(part) && isFields(part['String']) ? part['String']['sval'] : undefined
    return typeof text === 'string' ? text : ''
  })
  return parts.length > 1 ? [parts.at(-1) ?? '', parts.slice(0, -1).join('.')] : [parts[0] ?? '']
}

function first<T>(values: readonly T[], of: (value: T) => Objection | undefined): Objection | undefined {
  for (const value of values) {
    const found = of(value)
    if (found !== undefined) return found
  }
  return undefined
}
