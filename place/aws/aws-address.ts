// Owns the address of AWS, and the names of resources there. The address is a desk, or AWS by the SDK's own
// configuration. A state directory is a separate environment, so names at a desk have no prefix.
import type { ScanInput, ScanOutput } from '@aws-sdk/client-dynamodb'
import type { EndpointAccess } from '@sluice/embedded-aws'
import {
  busName,
  decisionKeyAlias,
  deployedName,
  type GivenNames,
  givenNames,
  journalName,
} from '../../core/contract/deployed-names.ts'
import { EVENT_BUS } from '../../core/contract/events.ts'
import { JOURNAL_TABLE } from '../../core/contract/records.ts'
import type { Treasury } from '../../core/contract/treasury.ts'
import type { TableClient } from '../../core/journal/dynamo-table.ts'
import { AWS_LIMITS, type AwsLimits, requestLimits } from '../../core/keys/aws-limits.ts'
import type { DecisionKey } from '../../core/runs/approval/signed-decision.ts'

export type AwsAddress = EndpointAccess | Deployment

/** The resources that are deployed to AWS under the names of an environment. */
export interface Deployment {
  readonly environment: string | undefined
  readonly given: GivenNames
}

export function deploymentOf({ aws, environment }: Pick<Treasury, 'aws' | 'environment'>): Deployment {
  return { environment, given: givenNames(aws) }
}

export function isDeployment(address: AwsAddress): address is Deployment {
  return !('endpointUrl' in address)
}

export function clientConfigAt(address: AwsAddress) {
  return isDeployment(address) ? requestLimits(AWS_LIMITS) : clientConfigOf(address)
}

/** Two attempts of at most 5 s each: a desk answers at once, or is suspended. */
const DESK_LIMITS: AwsLimits = { connectionTimeoutMs: 1_000, requestTimeoutMs: 5_000, attempts: 2 }

export function clientConfigOf({ endpointUrl, region, credentials }: EndpointAccess) {
  return { endpoint: endpointUrl, region, credentials, ...requestLimits(DESK_LIMITS) }
}

/** The name of the resource at this address. */
export function nameAt(address: AwsAddress, name: string): string {
  return isDeployment(address) ? deployedName(name, address.environment) : name
}

export function busAt(address: AwsAddress): string {
  return isDeployment(address) ? busName(address.environment, address.given) : EVENT_BUS
}

export function journalAt(address: AwsAddress): string {
  return isDeployment(address) ? journalName(address.environment, address.given) : JOURNAL_TABLE
}

/** The SDK's class `DynamoDB` has these methods. Functions have no permission to scan. */
export interface JournalClient extends TableClient {
  scan(input: ScanInput): Promise<ScanOutput>
  destroy(): void
}

export interface JournalTable {
  readonly client: JournalClient
  readonly tableName: string
}

/** With the key of decisions at the same address. */
export interface KeyedTable extends JournalTable {
  readonly decisionKey: DecisionKey
}

export function deskTable(client: JournalClient): JournalTable {
  return { client, tableName: JOURNAL_TABLE }
}

/** Loads the SDK and opens a client only where a decision is counted or given. */
export function decisionKeyAt(address: AwsAddress): DecisionKey {
  let read: ReturnType<DecisionKey['publicKey']> | undefined
  const using = async <Result>(work: (key: DecisionKey) => Promise<Result>): Promise<Result> => {
    const [{ KMSClient }, { kmsDecisionKey }] = await Promise.all([
      import('@aws-sdk/client-kms'),
      import('../../core/keys/kms-signer.ts'),
    ])
    const keyId = decisionKeyAlias(isDeployment(address) ? address.environment : undefined)
    const key = kmsDecisionKey(() => ({ keyId, client: new KMSClient(clientConfigAt(address)) }))
    return work(key).finally(key.destroy)
  }
  return {
    async publicKey() {
      read ??= using((key) => key.publicKey())
      return read
    },
    sign: (bytes) => using((key) => key.sign(bytes)),
  }
}
