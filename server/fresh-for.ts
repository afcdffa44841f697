/**
 * Whether less than this has passed since now, in milliseconds. By two clocks: one stands still while the machine sleeps, the
 * other can be set.
 */
export function freshFor(ms: number): () => boolean {
  const [wall, steady] = [Date.now(), performance.now()]
  return () => {
    const passed = Date.now() - wall
    return passed >= 0 && passed < ms && performance.now() - steady < ms
  }
}
