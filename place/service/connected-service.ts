// Chooses the service and the keys of a query: the named service, or the built-in sandbox of the state directory, so
// that every query works without an account.

import path from 'node:path'
import { DURABLE } from '@sluice/embedded-aws'
import type { Sandbox, SandboxOptions } from '@sluice/service-sandbox'
import type { OperationContext } from '../context.ts'
import { joinDesk } from '../desk/join-desk.ts'
import { ExitCode } from '../exit-code.ts'
import { readText } from '../files/text-file.ts'
import { OperationError } from '../operation-error.ts'
import type { Settings } from '../settings.ts'
import { builtInFolder } from '../state/state-layout.ts'

export interface ConnectedService extends Service {
  /** In words: an address, or the built-in sandbox. */
  readonly name: string
  readonly isBuiltIn: boolean
}

type Context = Pick<OperationContext, 'clock' | 'output' | 'stdin'>

/**
 * Keeps the state directory locked during work with the built-in sandbox. Two processes must not write its file.
 * @throws OperationError: exit 2 for a key file that cannot be read, exit 1 for a directory in use
 */
export async function withConnectedService<Result>(
  { service, stateDir }: Settings,
  { clock, output, stdin }: Context,
  work: (asked: ConnectedService) => Promise<Result>,
): Promise<Result> {
  if (service !== undefined) {
    const keys = await readText(service.keysFile, 'keys', stdin)
    return work({ url: service.url, keys, name: service.url, isBuiltIn: false })
  }
  const onWait = (pid: number) => output.note(`waiting: ${stateDir} is in use by process ${pid}`)
  const name = `the built-in sandbox in ${stateDir}`
  return joinDesk(
    { stateDir, clock, onWait, onRepaired: output.note, need: { service: undefined, sandbox: true } },
    {
      asClient: ({ sandbox }) => {
        if (sandbox === undefined) throw new TypeError('a desk without a sandbox does not fit')
        return work({ url: sandbox.url, keys: sandbox.keys, name, isBuiltIn: true })
      },
      asHolder: () =>
        withBuiltInSandbox(builtInFolder(stateDir).sandboxFile, (service) =>
          work({ ...service, name, isBuiltIn: true }),
        ),
    },
  )
}

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
  throw new OperationError(
    {
      exitCode: ExitCode.Failed,
      code: 'state_unusable',
      message: `cannot open the built-in sandbox: ${reason}; nothing was asked`,
      next: 'check that --state names the right directory, and that nobody changed its files',
    },
    { cause: error },
  )
}

export interface Service {
  /** Without a trailing slash and without `/v2`. */
  readonly url: string
  /** Text of a key file. */
  readonly keys: string
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
