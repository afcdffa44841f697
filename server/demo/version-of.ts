// A demo may be started over, and its rows come back under the keys that they had. A preview that was made before rests on
// versions of rows (`toolsets/rehearsal.ts`): none of them may ever be there again, or it would count as fresh.

const epoch = Date.UTC(2020, 0, 1)

/** The version of rows that are written anew at this moment, above each that they had: nothing here changes every second. */
export const versionOf = (now: number): number => Math.floor((now - epoch) / 1000)
