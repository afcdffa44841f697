/** A number as our tables' types have it; PostgreSQL hands out its 64-bit integers as text. */
export const toNumber = (value: number | string): number => Number(value)
