import type { z } from 'zod'

/** A member that may be missing and not `undefined`. Zod has it from 4.3 on; with an older one `undefined` stands for missing. */
export const exactOptional = <S extends z.ZodType>(schema: S): z.ZodExactOptional<S> =>
  'exactOptional' in schema ? schema.exactOptional() : ((schema as S).optional() as unknown as z.ZodExactOptional<S>)
