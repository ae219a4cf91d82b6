// Runs `sluice keys` in this process, with secrets of its own: those of a state directory, or those of an embedded AWS
// in the role of AWS. The service is the sandbox.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import {
  GetSecretValueCommand,
  ListSecretVersionIdsCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager'
import { type EndpointAccess, startEmbeddedSecrets } from '@sluice/embedded-aws'
import { type Sandbox, startSandbox } from '@sluice/service-sandbox'
import { onTestFinished, vi } from 'vitest'
import { settingsOfAws } from '../../helpers/aws-settings.ts'
import { runInProcess } from '../../unit/cli/run-in-process.ts'

export const SECRET = 'sluice/service-key'

export interface Ran {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

export interface KeySetUp {
  /** Access to the embedded AWS. Commands get it from the SDK's variables. */
  readonly access: EndpointAccess
  readonly sandbox: Sandbox
  readonly directory: string
  /** Runs `sluice keys …`, as on AWS. */
  keys(...argv: string[]): Promise<Ran>
  /** Puts a version, which is current unless labels are given. */
  put(text: string, ...labels: string[]): Promise<string>
  read(label: string): Promise<{ readonly id: string; readonly text: string } | undefined>
  labels(): Promise<Record<string, string[]>>
  /** Moves AWSCURRENT, which is the first half of a promotion. */
  makeCurrent(versionId: string, from: string): Promise<void>
  file(name: string, text: string): string
  control(target: string, body: unknown): Promise<unknown>
}

export interface KeySetUpOptions {
  /** The `service` part of treasury.json, merged over address and stage. */
  readonly service?: object
  readonly secrets?: readonly string[]
}

export async function setUpKeys({ service = {}, secrets = [SECRET] }: KeySetUpOptions = {}): Promise<KeySetUp> {
  const directory = mkdtempSync(path.join(tmpdir(), 'sluice-keys-'))
  const sandbox = await startSandbox()
  const embedded = await startEmbeddedSecrets({ stateDir: path.join(directory, 'aws'), secrets })
  const { credentials, endpointUrl: endpoint, region } = embedded
  const client = new SecretsManagerClient({ endpoint, region, credentials })
  onTestFinished(async () => {
    vi.unstubAllEnvs()
    client.destroy()
    await embedded.stop()
    await sandbox.stop()
    rmSync(directory, { recursive: true, force: true })
  })
  useAws(embedded)
  const file = (name: string, text: string) => {
    writeFileSync(path.join(directory, name), text, { mode: 0o600 })
    return path.join(directory, name)
  }
  const config = file('treasury.json', JSON.stringify({ service: { url: sandbox.baseUrl, stage: 'test', ...service } }))
  const [SecretId = SECRET] = secrets
  return {
    access: embedded,
    sandbox,
    directory,
    keys: (...argv) => runInProcess(['keys', ...argv, '--config', config]),
    async put(SecretString, ...labels) {
      const VersionStages = labels.length === 0 ? ['AWSCURRENT'] : labels
      const put = await client.send(new PutSecretValueCommand({ SecretId, SecretString, VersionStages }))
      return put.VersionId ?? ''
    },
    async read(VersionStage) {
      const found = await client.send(new GetSecretValueCommand({ SecretId, VersionStage })).catch(() => undefined)
      return found && { id: found.VersionId ?? '', text: found.SecretString ?? '' }
    },
    async makeCurrent(MoveToVersionId, RemoveFromVersionId) {
      const move = { SecretId, VersionStage: 'AWSCURRENT', MoveToVersionId, RemoveFromVersionId }
      await client.send(new UpdateSecretVersionStageCommand(move))
    },
    async labels() {
      const { Versions = [] } = await client.send(new ListSecretVersionIdsCommand({ SecretId }))
      return Object.fromEntries(
        Versions.map((version) => [version.VersionId, [...(version.VersionStages ?? [])].sort()]),
      )
    },
    file,
    control: (target, body) => control(sandbox, target, body),
  }
}

/** Points the SDK's default configuration at an embedded AWS, until the test has finished. */
export function useAws({ credentials, endpointUrl, region }: EndpointAccess): void {
  settingsOfAws(endpointUrl, {
    variables: ['AWS_ENDPOINT_URL_SECRETS_MANAGER', 'AWS_ENDPOINT_URL_KMS'],
    region,
    credentials,
  })
}

export async function control<Answer>(sandbox: Sandbox, target: string, body: unknown): Promise<Answer> {
  const answer = await fetch(`${sandbox.controlUrl}${target}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  })
  if (!answer.ok) throw new Error(`control ${target}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as Answer
}

/** The text of a key file of the sandbox. */
export function storedKey({ secret, privateKeyPem, alg }: Sandbox['keys']['full']): string {
  return JSON.stringify({ secret, privateKeyPem, alg })
}
