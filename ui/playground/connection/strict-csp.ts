// Zod, which the MCP SDK brings along, probes for `new Function` when its first schema is made. Under this page's policy
// that probe fails, as it should, and is reported as a violation. Its own switch for that must be set before the SDK
// is loaded, hence a module that comes first.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })
