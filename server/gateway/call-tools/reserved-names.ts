// A server behind may call a tool, a prompt or a resource whatever it likes, and an agent knows them by nothing else. So
// nothing of theirs is listed under a name or an address that is ours, nor under one that looks like it.
import { invisible } from '../../cards/invisible-characters.ts'
import { isReservedTool, reservedTools } from '../../tools/names.ts'

const notSeen = new RegExp(`${invisible.source}|\\s`, 'gv')

/** What a reader sees of a text: nothing of what draws nothing, and a letter whatever its width and style (UAX 15). */
const asSeen = (text: string): string => text.normalize('NFKC').replace(notSeen, '')

/** As a reader takes a name: without case, and however its words are joined. */
const asRead = (name: string): string =>
  asSeen(name)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')

const ours: ReadonlySet<string> = new Set([...reservedTools].map(asRead))

/** Whether this name is one of ours, or reads like one. */
export const isReservedName = (name: string): boolean =>
  isReservedTool(name) || ours.has(asRead(name)) || asRead(name).startsWith('countersign')

/** As many characters as MCP hosts take of a tool's name, with room for a number. */
const longest = 76

/**
 * The name under which each of a wrapped server's tools is listed: its own, unless that is one of ours. Those get their
 * server's name in front, and a number where the server has a tool of that name as well. No two are the same.
 */
export function listedNames(server: string, tools: readonly string[]): ReadonlyMap<string, string> {
  const prefix = server.replace(/[^A-Za-z0-9_-]+/g, '_')
  const listed = new Map(tools.filter((tool) => !isReservedName(tool)).map((tool) => [tool, tool]))
  const taken = new Set(listed.keys())
  for (const tool of tools.filter(isReservedName)) {
    const wanted = `${isReservedName(`${prefix}_${tool}`) ? 'server' : prefix}_${tool}`.slice(0, longest)
    let free = wanted
    for (let count = 2; taken.has(free); count++) free = `${wanted}_${count}`
    taken.add(free)
    listed.set(tool, free)
  }
  return listed
}

/**
 * Whether an address is one of ours: contracts (`countersign://`), cheatsheets (`mcp://`), or a view's in another
 * spelling. A plain `ui://` address is none: it gets a prefix on the way out.
 */
export const isReservedAddress = (address: string): boolean =>
  !address.startsWith('ui://') && /^(?:countersign|mcp|ui):/i.test(asSeen(address))
