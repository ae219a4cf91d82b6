// Brings up what a run needs on this machine: the cloud assembly, a service and the embedded AWS
// that points at it. The caller holds the state lock.
import type { Treasury } from '../functions/contract/treasury.ts'
import type { EmbeddedAws, EmbeddedAwsOptions } from '../sandbox/aws/embedded-aws.ts'
import type { Sandbox } from '../sandbox/service/sandbox.ts'
import { rootDir } from './settings.ts'
import { findOrSynthesize } from './state/assembly-cache.ts'
import type { ServiceFolder } from './state/state-layout.ts'
import { synthesizeInChild } from './state/synthesize.ts'

export interface EmbeddedRunOptions {
  readonly treasury: Treasury
  readonly configFile: string
  readonly assemblyCacheDir: string
  readonly folder: ServiceFolder
  /** Absent: the built-in sandbox. */
  readonly service?: { readonly url: string; readonly keys: string } | undefined
  readonly sandboxSeed?: string
  readonly onEvent: NonNullable<EmbeddedAwsOptions['onEvent']>
  /** Called when the assembly has to be synthesized, which takes seconds. */
  readonly onSynthesis: () => void
}

export interface EmbeddedRun {
  readonly aws: EmbeddedAws
  /** Present with the built-in sandbox. */
  readonly sandbox: Sandbox | undefined
  /** Stops workers and sockets. Unfinished executions stay, and go on at the next start. */
  close(): Promise<void>
}

export async function openEmbeddedRun(options: EmbeddedRunOptions): Promise<EmbeddedRun> {
  const { treasury, configFile, folder, onEvent } = options
  const assemblyDir = await findOrSynthesize({
    rootDir,
    configFile,
    cacheDir: options.assemblyCacheDir,
    synthesize: (file, outDir) => {
      options.onSynthesis()
      return synthesizeInChild(rootDir, file, outDir)
    },
  })
  const sandbox = options.service === undefined ? await openSandbox(options) : undefined
  const { url, keys } = options.service ?? builtInService(sandbox as Sandbox)
  try {
    const { startEmbeddedAws } = await import('../sandbox/aws/embedded-aws.ts')
    const aws = await startEmbeddedAws({
      assemblyDir,
      stateDir: folder.awsDir,
      parameters: { ServiceUrl: url },
      secrets: { [treasury.service.keySecret]: keys },
      onEvent,
    })
    return {
      aws,
      sandbox,
      async close() {
        await aws.stop()
        await sandbox?.stop()
      },
    }
  } catch (error) {
    await sandbox?.stop()
    throw error
  }
}

async function openSandbox({ folder, sandboxSeed }: EmbeddedRunOptions): Promise<Sandbox> {
  const { startSandbox } = await import('../sandbox/service/sandbox.ts')
  return startSandbox({ stateFile: folder.sandboxFile, ...(sandboxSeed !== undefined && { seed: sandboxSeed }) })
}

function builtInService({ baseUrl, keys }: Sandbox): { url: string; keys: string } {
  const { secret, privateKeyPem, alg } = keys.full
  return { url: baseUrl, keys: JSON.stringify({ secret, privateKeyPem, alg }) }
}
