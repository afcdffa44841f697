// The first import of the library's door: an old Node hears in one sentence what it is, and not which of our imports it lacks.
import { nodeProblem } from './supported-node.ts'

const problem = nodeProblem()
if (problem !== undefined) throw new Error(`${problem} Install a newer Node.`)
