// Puts a key of the sandbox into the secret of an embedded AWS, and rotates it step by step.
import { type KeySetUp, setUpKeys, storedKey } from './key-commands.ts'

export const ACCOUNT = {
  username: 'u',
  email: 'u@example.com',
  fullName: 'U',
  nationalId: null,
  verificationStatus: 'VERIFIED',
  preferredCurrency: 'USD',
}

interface Key {
  readonly secret: string
  readonly privateKeyPem: string
  readonly alg: string
}

export async function withKey(): Promise<KeySetUp & { readonly first: string }> {
  const set = await setUpKeys()
  return { ...set, first: await set.put(storedKey(set.sandbox.keys.full)) }
}

export const upload = ({ control }: KeySetUp, publicKeyPem: string) =>
  control('/keys/full', { do: 'addSigningKey', publicKeyPem })

/** The newest secret of the key, which the dashboard would show once. */
export async function rotateBearer({ control }: KeySetUp): Promise<string> {
  const { secrets } = (await control('/keys/full', { do: 'rotate' })) as { secrets: { secret: string }[] }
  return secrets.at(-1)?.secret ?? ''
}

export async function pendingKey({ read }: KeySetUp): Promise<Key> {
  return JSON.parse((await read('AWSPENDING'))?.text ?? 'null')
}
