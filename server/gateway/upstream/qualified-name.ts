/** `server:tool`, the name under which agents know an upstream tool. */
export const qualifiedName = (server: string, tool: string): string => `${server}:${tool}`
