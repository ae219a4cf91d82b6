// What the embedded AWS says about an assembly, an option or a definition that it will not run:
// where it stands and what is missing. It never runs one differently from AWS instead.

export class Refusal extends Error {
  override readonly name = 'Refusal'
  constructor(where: string, what: string) {
    super(`${where}: ${what}`)
  }
}
