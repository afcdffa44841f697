/** A share in percent, below ten with one decimal; `null` of nothing. Not 0 or 100 unless it is none or all. */
export const percentOf = (part: number, whole: number): number | null => {
  if (whole === 0) return null
  const exact = (part / whole) * 100
  if (exact < 10) return part === 0 ? 0 : Math.max(0.1, Math.round(exact * 10) / 10)
  return part < whole ? Math.min(99, Math.round(exact)) : 100
}
