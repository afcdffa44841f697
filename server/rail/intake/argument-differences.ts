// An agent that repeats a call with one digit changed must learn which one, and so must the person. This walks the
// confirmed and the received arguments together and names each leaf that differs.
import type { FieldMismatch } from '../../errors/failure.ts'
import { toPointer } from '../../errors/pointer.ts'

/** Every place (JSON Pointer, RFC 6901) at which two JSON values differ, at most fifty. */
export function compareArguments(confirmed: unknown, received: unknown): readonly FieldMismatch[] {
  const found: FieldMismatch[] = []
  walk(confirmed, received, [], found)
  return found
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null

function walk(confirmed: unknown, received: unknown, path: readonly PropertyKey[], found: FieldMismatch[]): void {
  if (found.length >= 50 || confirmed === received) return
  if (!isContainer(confirmed) || !isContainer(received) || Array.isArray(confirmed) !== Array.isArray(received)) {
    found.push({ pointer: toPointer(path), confirmed, received })
    return
  }
  for (const key of new Set([...Object.keys(confirmed), ...Object.keys(received)]))
    walk(member(confirmed, key), member(received, key), [...path, key], found)
}

const member = (value: object, key: string): unknown =>
  Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined
