// A small catalogue of the kind that people attach: a code host, files, a shop, trains, and tools with no annotations.
import { createToolIndex, type SearchOptions } from '../../../server/search/tool-index.ts'
import type { IndexedTool } from '../../../server/search/tool-text.ts'

type Parameters = Readonly<Record<string, string>>

/** A tool from `server:name`, a description and its required parameters with what they say. */
export function tool(
  name: string,
  description: string,
  parameters: Parameters = {},
  annotations?: IndexedTool['annotations'],
): IndexedTool {
  const properties = Object.fromEntries(
    Object.entries(parameters).map(([key, description]) => [key, { type: 'string', description }]),
  )
  return {
    name,
    server: name.slice(0, name.indexOf(':')),
    description,
    inputSchema: { type: 'object', properties, required: Object.keys(parameters) },
    annotations,
  }
}

export const shelf: readonly IndexedTool[] = [
  tool('github:create_issue', 'Open a new issue in a repository.', { title: 'Title of the issue', repo: 'Repository' }),
  tool('github:list_issues', 'List the issues of a repository.', { repo: 'Repository' }, { readOnlyHint: true }),
  tool('github:delete_branch', 'Delete a branch.', { branch: 'Name of the branch' }, { destructiveHint: true }),
  tool(
    'github:getPullRequestReviews',
    'Reviews of one pull request.',
    { number: 'Its number' },
    { readOnlyHint: true },
  ),
  tool('files:read_file', 'Read a file from disk.', { path: 'Where it lies' }, { readOnlyHint: true }),
  tool('files:write_file', 'Write a file, replacing what is there.', { path: 'Where', content: 'What' }),
  tool('files:list_directory', 'List the entries of a directory.', { path: 'Which' }, { readOnlyHint: true }),
  tool('office:create_presentation', 'Create a new pptx presentation.', { title: 'Title' }),
  tool('clock:get_current_time', 'Get the current date and time in a time zone.', { zone: 'IANA zone' }),
  tool('trains:search_tickets', 'Search train tickets between two stations.', {
    station_code: 'Code of the station, from `find_station`',
  }),
  tool('trains:find_station', 'Look up places by what they are called.', { label: 'What people call it' }),
  tool('weather:forecast', 'Weather forecast of the next days for a city.', { city: 'Name of the city' }),
  tool('搜索:查询天气', '查询指定城市的天气预报。', { 城市: '城市名称' }),
]

const index = createToolIndex(shelf)

/** The names found on the shelf, best first. */
export const found = (query: string, options?: SearchOptions): string[] =>
  index.search(query, options).map(({ tool }) => tool.name)
