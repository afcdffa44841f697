/** As long as a test and its hooks may take, and everything that they wait for. Milliseconds. */
export const longest = 300_000
