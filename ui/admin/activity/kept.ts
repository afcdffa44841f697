// What this browser keeps for who works in it: filters under a name, and the columns of the list. Another version of these
// pages may have written it, so it is parsed; what cannot be read is as if there were nothing.
import { useState } from 'preact/hooks'
import * as z from 'zod/mini'

// The policy of these pages allows no code that is made at run time.
z.config({ jitless: true })

const savedFilters = z.array(z.object({ name: z.string(), query: z.record(z.string(), z.string()) }))

/** Filters under a name. */
export type SavedFilter = z.infer<typeof savedFilters>[number]

const chosenColumns = z.array(z.string())

function useKept<T>(name: string, schema: z.ZodMiniType<T>, first: T): readonly [T, (value: T) => void] {
  const [value, set] = useState(() => read(name, schema) ?? first)
  const change = (next: T): void => {
    set(next)
    localStorage.setItem(name, JSON.stringify(next))
  }
  return [value, change]
}

const read = <T>(name: string, schema: z.ZodMiniType<T>): T | undefined => {
  try {
    return schema.safeParse(JSON.parse(localStorage.getItem(name) ?? 'null')).data
  } catch {
    return undefined
  }
}

/** The saved filters, and how to change them. */
export const useSavedFilters = () => useKept<SavedFilter[]>('countersign-activity-filters', savedFilters, [])

/** The names of the columns that are shown, and how to choose others. */
export const useChosenColumns = (first: readonly string[]) =>
  useKept<string[]>('countersign-activity-columns', chosenColumns, [...first])
