// The public entry of the embedded AWS: boots a cloud assembly on one machine, and reads the files of one that is not
// running. Boot code is loaded only when it is called, so that reading a file loads no emulator.
import type { EmbeddedAws, EmbeddedAwsOptions } from './embedded-aws-api.ts'
import type { EmbeddedSecrets, EmbeddedSecretsOptions } from './embedded-secrets.ts'

export type { Deployment } from './assembly/deployment.ts'
export type { TemplateResource } from './assembly/read-assembly.ts'
export { Refusal } from './aws-error.ts'
export type { AwsClock } from './clock.ts'
export { databaseFolder } from './database-folder.ts'
export type { DeliveryAttempt, DeliveryHook, DeliveryVerdict } from './delivery/deliveries.ts'
export { type Disk, DURABLE, draftOf, isDraft, UNSYNCED } from './disk.ts'
export type { DynaliteDatabase } from './dynamodb/dynalite-store.ts'
export type {
  EmbeddedAws,
  EmbeddedAwsOptions,
  Resources,
  ScheduleControl,
  ScheduleDescription,
} from './embedded-aws-api.ts'
export {
  type EmbeddedJournal,
  findKnownExecution,
  findKnownHistory,
  hasExecutions,
  type KnownExecution,
  keptExecutions,
  readKeptExecution,
  startEmbeddedJournal,
  unfinishedExecutions,
} from './embedded-journal.ts'
export type { Asking } from './endpoint/access.ts'
export { type BareRequests, executionRequests, tableRequests } from './endpoint/bare-requests.ts'
export type { Credentials, EndpointAccess } from './endpoint/credentials.ts'
export type { EndpointCall, EndpointHook, EndpointVerdict } from './endpoint/wire.ts'
export { Connections, MOST_UNKNOWN_CONNECTIONS } from './http/local-server.ts'
export type { FailedInvocation } from './lambda/async-invocations.ts'
export { readOwnText } from './own-file.ts'
export type { ExecutionDescription } from './states/execution-description.ts'
export { DamagedLog } from './states/execution-log.ts'
export type { ExecutionStatus, HistoryEvent } from './states/history.ts'

/**
 * Boots an assembly.
 * @throws Refusal when the assembly, the options or the state directory do not fit.
 */
export async function startEmbeddedAws(options: EmbeddedAwsOptions): Promise<EmbeddedAws> {
  const { startEmbeddedAws: start } = await import('./embedded-aws.ts')
  return start(options)
}

/** Serves the secrets of a state directory, and nothing else. */
export async function startEmbeddedSecrets(options: EmbeddedSecretsOptions): Promise<EmbeddedSecrets> {
  const { startEmbeddedSecrets: start } = await import('./embedded-secrets.ts')
  return start(options)
}

/** Loads the parts, for benchmarks and examinations. They may change with any release. */
export function loadParts(): Promise<typeof import('./parts.ts')> {
  return import('./parts.ts')
}
