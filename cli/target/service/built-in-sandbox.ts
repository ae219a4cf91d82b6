// The sandbox inside this process, with the world that a state directory keeps for it.
import path from 'node:path'
import { DURABLE } from '../../../embedded-aws/disk.ts'
import type { Sandbox, SandboxOptions } from '../../../sandbox/service/sandbox.ts'

/** A service as a command needs it. */
export interface Service {
  /** Without a trailing slash and without `/v2`. */
  readonly url: string
  /** Text of a key file. */
  readonly keys: string
}

/** Of a world that is not there yet; a profile and manners also of one that is. */
export type Arranged = Pick<SandboxOptions, 'seed' | 'profile' | 'manners'>

/** The file's own seed wins. Rejects when the file is not one of the sandbox's. */
export async function openBuiltInSandbox(stateFile: string, arranged: Arranged = {}): Promise<Sandbox> {
  const { startSandbox } = await import('../../../sandbox/service/sandbox.ts')
  DURABLE.makeFolder(path.dirname(stateFile))
  return startSandbox({ stateFile, ...arranged })
}

export function builtInService({ baseUrl, keys }: Sandbox): Service {
  const { secret, privateKeyPem, alg } = keys.full
  return { url: baseUrl, keys: JSON.stringify({ secret, privateKeyPem, alg }) }
}
