// The sandbox inside this process, with the world that a state directory keeps for it.
import path from 'node:path'
import { DURABLE } from '../sandbox/aws/disk.ts'
import type { Sandbox } from '../sandbox/service/sandbox.ts'

/** A service as a command needs it. */
export interface Service {
  /** Without a trailing slash and without `/v2`. */
  readonly url: string
  /** Text of a key file. */
  readonly keys: string
}

/** The file's own seed wins over `seed`. Rejects when the file is not one of the sandbox's. */
export async function openBuiltInSandbox(stateFile: string, seed?: string): Promise<Sandbox> {
  const { startSandbox } = await import('../sandbox/service/sandbox.ts')
  DURABLE.makeFolder(path.dirname(stateFile))
  return startSandbox({ stateFile, ...(seed !== undefined && { seed }) })
}

export function builtInService({ baseUrl, keys }: Sandbox): Service {
  const { secret, privateKeyPem, alg } = keys.full
  return { url: baseUrl, keys: JSON.stringify({ secret, privateKeyPem, alg }) }
}
