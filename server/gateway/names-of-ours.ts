// A server behind may call a tool, a prompt or a resource whatever it likes, and an agent knows them by nothing else. So
// nothing of theirs is listed under a name or an address that is ours, nor under one that looks like it.
import { isReservedTool, reservedTools } from '../tools/names.ts'

/** As a reader takes a name: without case, and however its words are joined. */
const asRead = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

const ours: ReadonlySet<string> = new Set([...reservedTools].map(asRead))

/** Whether this name is one of ours, or reads like one. */
export const isNameOfOurs = (name: string): boolean =>
  isReservedTool(name) || ours.has(asRead(name)) || asRead(name).startsWith('countersign')

/** The name under which a wrapped server's tool is listed: its own, unless that is one of ours. */
export function listedName(server: string, tool: string): string {
  if (!isNameOfOurs(tool)) return tool
  const prefix = server.replace(/[^A-Za-z0-9_-]+/g, '_')
  return `${isNameOfOurs(`${prefix}_${tool}`) ? 'server' : prefix}_${tool}`.slice(0, 80)
}

/**
 * Whether an address is in a room of ours: contracts (`countersign://`), cheatsheets (`mcp://`), or a view's in another
 * spelling. A plain `ui://` address is none: it gets a room of its own on the way out.
 */
export const isAddressOfOurs = (address: string): boolean =>
  !address.startsWith('ui://') && /^(?:countersign|mcp|ui):/i.test(address.replace(/[\p{C}\s]/gu, ''))
