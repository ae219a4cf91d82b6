// Opens the built-in sandbox of a state directory, so that every command works without an account.

import path from 'node:path'
import { DURABLE } from '@sluice/embedded-aws'
import type { Sandbox, SandboxOptions } from '@sluice/service-sandbox'
import { advice, option } from '../next-step.ts'
import { failedWith } from '../operation-error.ts'

/** The caller holds the directory's lock. */
export async function withBuiltInSandbox<Result>(
  stateFile: string,
  work: (service: Service) => Promise<Result>,
): Promise<Result> {
  const sandbox = await openBuiltInSandbox(stateFile).catch(cannotOpen)
  try {
    return await work(builtInService(sandbox))
  } finally {
    await sandbox.stop()
  }
}

function cannotOpen(error: unknown): never {
  const reason = error instanceof Error ? error.message : 'for an unknown reason'
  throw failedWith(
    'state_unusable',
    `cannot open the built-in sandbox: ${reason}; nothing was asked`,
    advice`check that ${option('state')} names the right directory, and that nobody changed its files`,
    error,
  )
}

export interface Service {
  /** Without a trailing slash and without `/v2`. */
  readonly url: string
  /** Text of a key file. */
  readonly keys: string
}

export interface ConnectedService extends Service {
  /** In words: an address, or the built-in sandbox. */
  readonly name: string
  readonly isBuiltIn: boolean
}

/** The set-up of the built-in sandbox. The seed counts only for a world that does not exist yet. */
export type Arranged = Pick<SandboxOptions, 'seed' | 'profile' | 'manners'>

/** The file's own seed takes precedence. Rejects when the file is not a sandbox's. */
export async function openBuiltInSandbox(stateFile: string, arranged: Arranged = {}): Promise<Sandbox> {
  const { startSandbox } = await import('@sluice/service-sandbox')
  DURABLE.makeFolder(path.dirname(stateFile))
  return startSandbox({ stateFile, ...arranged })
}

export function builtInService({ baseUrl, keys }: Sandbox): Service {
  const { secret, privateKeyPem, alg } = keys.full
  return { url: baseUrl, keys: JSON.stringify({ secret, privateKeyPem, alg }) }
}
