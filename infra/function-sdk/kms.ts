// In the place of the SDK's client of KMS in what moves money: a tenth of what a step loads, and needed only where
// treasury.json has KMS sign. It is in a file of its own beside the bundle, loaded when the first client is made, which is
// while the function initialises.

const requireBeside = process.getBuiltinModule('node:module').createRequire(__filename)

interface Kms {
  readonly KMSClient: new (config: object) => object
  readonly SignCommand: new (input: object) => object
}

const load = (): Kms => requireBeside('./kms.cjs')

/** Made with `new`, as the SDK's; so is the next. */
export function KMSClient(config: object): object {
  return new (load().KMSClient)(config)
}

export function SignCommand(input: object): object {
  return new (load().SignCommand)(input)
}
