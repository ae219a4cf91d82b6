// Defines the error for an assembly, option or definition that the embedded AWS does not run: the place, and the
// reason. The embedded AWS refuses what it would run differently from AWS.

export class Refusal extends Error {
  override readonly name = 'Refusal'
  constructor(where: string, reason: string) {
    super(`${where}: ${reason}`)
  }
}
