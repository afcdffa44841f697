/** Why a schema cannot be used, said of "it", and what to write instead. */
export class UnusableSchema extends Error {
  readonly fix: string
  constructor(problem: string, fix: string) {
    super(problem)
    this.name = 'UnusableSchema'
    this.fix = fix
  }
}
