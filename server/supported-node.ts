// Which Node is new enough. Plain syntax, and nothing is imported: an old one must get as far as this.

/** What to say to a Node that is too old; nothing where it is new enough. */
export function nodeProblem(): string | undefined {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  return major < 22 || (major === 22 && minor < 13)
    ? `countersign needs Node 22.13 or newer, this is ${process.versions.node}.`
    : undefined
}
