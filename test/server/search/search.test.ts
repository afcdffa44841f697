import { describe, expect, test } from 'vitest'
import { createToolIndex } from '../../../server/search/tool-index.ts'
import { found, shelf, tool } from './shelf.ts'

const index = createToolIndex(shelf)

describe('names', () => {
  test.each([
    'create_issue',
    'createIssue',
    'create issue',
    'CREATE-ISSUE',
    'github:create_issue',
    ' "github:create_issue" ',
  ])('the exact name comes first, however it is written: %s', (query) => {
    const [first, second] = index.search(query)
    expect(first).toMatchObject({ tool: shelf[0], score: 1 })
    expect(second?.score ?? 0).toBeLessThanOrEqual(0.5)
  })

  test('one name on two servers is found on both, and first on the one that was named', () => {
    const twice = createToolIndex([...shelf, tool('gitlab:create_issue', 'Open an issue.')])
    const names = (query: string): string[] => twice.search(query, { limit: 2 }).map(({ tool }) => tool.name)
    expect(names('create_issue')).toEqual(['github:create_issue', 'gitlab:create_issue'])
    expect(names('gitlab:create_issue')[0]).toBe('gitlab:create_issue')
  })

  test('a name inside a sentence is found', () => {
    expect(found('please call getPullRequestReviews for number 12')[0]).toBe('github:getPullRequestReviews')
  })
})

describe('words', () => {
  test.each([
    ['the parts of a camelCase name', 'reviews of a pull request', 'github:getPullRequestReviews'],
    ['the parts of a snake_case name', 'directory', 'files:list_directory'],
    ['a plural for a singular', 'branches', 'github:delete_branch'],
    ['a singular for a plural', 'ticket', 'trains:search_tickets'],
    ['another form of the verb', 'deleting a branch', 'github:delete_branch'],
    ['another word for the same thing', 'slides', 'office:create_presentation'],
    ['a word of a parameter only', 'zone', 'clock:get_current_time'],
    ['a word of the server only', 'github', 'github:create_issue'],
    ['two words that the catalogue writes as one', 'fore cast', 'weather:forecast'],
    ['full-width letters', 'ｆｏｒｅｃａｓｔ', 'weather:forecast'],
    ['a script without spaces', '北京的天气预报', '搜索:查询天气'],
  ])('finds by %s', (_, query, name) => {
    expect(found(query)[0]).toBe(name)
  })

  test('what a task talks about counts more than the verb that leads many names', () => {
    expect(found('get the weather')[0]).toBe('weather:forecast')
  })
})

describe('whole tasks', () => {
  test('each step of a task brings its tool into view', () => {
    const names = found('Look at the issues of the repository. Check the weather in Oslo. Delete the old branch.', {
      limit: 5,
    })
    expect(names).toEqual(expect.arrayContaining(['github:list_issues', 'weather:forecast', 'github:delete_branch']))
  })

  test('a path that is to be written asks for a tool that writes files, one that is not for a tool that reads', () => {
    const place = (query: string, name: string): number => found(query).indexOf(`files:${name}`)
    const saved = 'Summarise the weather and save it to /tmp/out.md'
    const read = 'What does /tmp/in.md say about the weather?'
    expect(place(saved, 'write_file')).toBeGreaterThanOrEqual(0)
    expect(place(saved, 'write_file')).toBeLessThan(place(saved, 'read_file'))
    expect(place(read, 'read_file')).toBeLessThan(place(read, 'write_file'))
  })

  test('a day relative to today brings a clock', () => {
    expect(found('train tickets to Oslo')).not.toContain('clock:get_current_time')
    expect(found('train tickets to Oslo for tomorrow')).toContain('clock:get_current_time')
  })

  test('a tool that brings the arguments of a good hit comes with it', () => {
    expect(found('buy a train ticket').slice(0, 2)).toEqual(['trains:search_tickets', 'trains:find_station'])
  })
})

describe('filters', () => {
  test('by server', () => {
    expect(found('list', { filters: { server: 'files' } })).toEqual(['files:list_directory'])
    expect(found('list', { filters: { server: ['files', 'github'] } }).toSorted()).toEqual([
      'files:list_directory',
      'github:list_issues',
    ])
  })

  test('by annotation: true takes what is so annotated, false leaves it out and keeps what is not annotated', () => {
    expect(found('issues branch', { filters: { readOnlyHint: true } })).toEqual(['github:list_issues'])
    expect(found('branch', { filters: { destructiveHint: true } })).toEqual(['github:delete_branch'])
    expect(found('delete branch', { filters: { destructiveHint: false } })).not.toContain('github:delete_branch')
    expect(found('create issue', { filters: { destructiveHint: false } })[0]).toBe('github:create_issue')
  })

  test('hold for an exact name as well', () => {
    expect(found('delete_branch', { filters: { server: 'files' } })).toEqual([])
    expect(found('create_issue', { filters: { server: 'nobody' } })).toEqual([])
  })

  test('are applied before the limit', () => {
    expect(found('file directory', { limit: 1, filters: { server: 'files' } })).toHaveLength(1)
  })
})

describe('edges', () => {
  test.each(['', '   ', '?!…', '\0', 'qwxzv', 'the of and'])('nothing to go by is an empty list: %j', (query) => {
    expect(index.search(query)).toEqual([])
  })

  test('an empty catalogue answers with an empty list', () => {
    const empty = createToolIndex([])
    expect(empty.size).toBe(0)
    expect(empty.search('anything')).toEqual([])
  })

  test.each([0, -1, Number.NaN])('a limit of %d is an empty list', (limit) => {
    expect(index.search('issues', { limit })).toEqual([])
  })

  test('a limit above the size of the catalogue is no mistake, and ten is the limit where none is given', () => {
    const many = createToolIndex(Array.from({ length: 70 }, (_, at) => tool(`s${at}:note_${at}`, 'Keeps a note.')))
    expect(many.search('note', { limit: Infinity })).toHaveLength(70)
    expect(many.search('note')).toHaveLength(10)
  })

  test('tools that differ in nothing but their server come in the order of their names', () => {
    const servers = ['c', 'a', 'd', 'b']
    const same = createToolIndex(servers.map((server) => tool(`${server}:note`, 'Keeps a note.')))
    expect(same.search('keep').map(({ tool }) => tool.server)).toEqual(['a', 'b', 'c', 'd'])
  })

  test.each([
    ['one word', 'a'.repeat(100_000)],
    ['words', 'create issue '.repeat(8_000)],
    ['different words', Array.from({ length: 15_000 }, (_, at) => `w${at}`).join(' ')],
    ['slashes', '/'.repeat(100_000)],
    ['paths', '/a.md '.repeat(17_000)],
    ['sentence ends', '. '.repeat(50_000)],
    ['blanks', ' '.repeat(100_000)],
    ['addresses', 'https://www.'.repeat(8_000)],
    ['brackets', '(((('.repeat(25_000)],
    ['ideographs', '天气'.repeat(50_000)],
    ['joined emoji', '👩‍👩‍👧‍👦'.repeat(9_000)],
    ['lone surrogates', '\ud800'.repeat(100_000)],
    ['letters that grow under normalisation', 'ﷺ'.repeat(30_000)],
    ['combining marks', `e${'\u0301'.repeat(99_999)}`],
  ])('100 KB of %s is answered', (_, query) => {
    expect(index.search(query).length).toBeLessThanOrEqual(10)
  })

  test('what a long query asks first is still found', () => {
    expect(found(`forecast ${'filler '.repeat(20_000)}`)[0]).toBe('weather:forecast')
  })

  test.each([
    ['no schema', undefined],
    ['null', null],
    ['a string', 'object'],
    ['a list', []],
    ['properties that are no object', { properties: 7, required: 'all' }],
    ['descriptions that are no text', { properties: { a: { description: 7, enum: [1, null, 'x'] }, b: null } }],
    ['a reserved name', JSON.parse('{"properties":{"__proto__":{"description":"d"},"constructor":{}}}')],
  ])('a tool whose schema is %s is indexed by the rest', (_, inputSchema) => {
    const odd = createToolIndex([...shelf, { ...tool('odd:peculiar_thing', 'Does.'), inputSchema }])
    expect(odd.search('peculiar thing')[0]?.tool.name).toBe('odd:peculiar_thing')
    expect(odd.search('constructor toString hasOwnProperty __proto__').length).toBeLessThanOrEqual(10)
  })

  test('a schema that contains itself is read to a depth and no further', () => {
    const schema: { properties: Record<string, unknown>; anyOf: unknown[] } = { properties: {}, anyOf: [] }
    schema.properties['self'] = schema
    schema.anyOf.push(schema)
    const looped = createToolIndex([{ ...tool('odd:loop', 'Loops.'), inputSchema: schema }])
    expect(looped.search('self')).toHaveLength(1)
  })

  test('names without a server, without letters, or alike are no obstacle', () => {
    const plain = { ...tool('x:y', 'Same words.'), name: 'y', server: '' }
    const odd = createToolIndex([plain, plain, { ...plain, name: '!!!' }])
    expect(odd.search('same words')).toHaveLength(3)
    expect(odd.search('!!!')).toEqual([])
    expect(odd.search('y')).toHaveLength(2)
  })
})
