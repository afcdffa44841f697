// What an operator writes of tools whose server says nothing, and which only read.

/** The part of a server's entry that says so. */
export const readsOnly = (...tools: readonly string[]): Readonly<Record<string, unknown>> => ({
  tools: Object.fromEntries(tools.map((tool) => [tool, { risk: 'low', operation: 'read' }])),
})
