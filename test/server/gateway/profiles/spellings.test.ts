// Under which other name a call may give the same argument.
import { expect, test } from 'vitest'
import { otherNameOf } from '../../../../server/gateway/profiles/spellings.ts'

const schema = {
  properties: {
    path: { description: 'Where it is' },
    target_path: { description: 'Where it goes' },
    branch_name: {},
    name: { description: 'Deprecated alias for branch_name; prefer branch_name for consistency' },
    query: { description: "Search query (alias for 'search')" },
    search: {},
  },
}

test.each<readonly [object, string, string | undefined]>([
  [{ path: 1, Path: 2 }, 'path', 'Path'],
  [{ '--path': 2 }, 'path', '--path'],
  [{ path: 1, file_path: 2 }, 'path', 'file_path'],
  [{ path: 1, filename: 2 }, 'path', 'filename'],
  [{ branch_name: 1, name: 2 }, 'branch_name', 'name'],
  [{ branch_name: 1, name: 2 }, 'name', 'branch_name'],
  [{ search: 1, query: 2 }, 'search', 'query'],
  // What is declared beside it and is said to be no alias is another argument.
  [{ path: 1, target_path: 2 }, 'path', undefined],
  [{ path: 1, content: 2 }, 'path', undefined],
  [{ path: 1 }, 'path', undefined],
])('in %j, of %s: %s', (args, name, other) => {
  expect(otherNameOf(args, [name], schema)).toBe(other)
})

test('without a schema only another spelling is one', () => {
  expect(otherNameOf({ path: 1, file_path: 2 }, ['path'])).toBeUndefined()
  expect(otherNameOf({ path: 1, PATH: 2 }, ['path'])).toBe('PATH')
  expect(otherNameOf({ files: { path: 1, PATH: 2 } }, ['files', 'path'])).toBe('PATH')
})
