// The tables, secrets, functions, state machines, rules, schedules, queues and permissions of an assembly, as values.

import type { TableDefinition } from '../dynamodb/dynamodb.ts'
import type { TablePolicy } from '../dynamodb/table-policies.ts'
import type { Statement } from '../endpoint/access-policy.ts'
import type { EventBus, Rule } from '../events/event-pattern.ts'
import type { AsyncSettings } from '../lambda/async-invocations.ts'
import type { FunctionDefinition } from '../lambda/function-definition.ts'
import type { FunctionUrl } from '../lambda/function-url.ts'
import type { HttpApi } from '../lambda/http-apis.ts'
import type { BucketDefinition } from '../s3/bucket-store.ts'
import type { Schedule } from '../schedules/schedules.ts'
import type { TopicDefinition } from '../sns/topics.ts'
import type { EventSourceDefinition } from '../sqs/event-source.ts'
import type { QueueDefinition } from '../sqs/queue-store.ts'
import type { StateMachine } from '../states/executions.ts'
import type { Placed } from './identity.ts'
import type { Grant } from './read-grants.ts'

export interface SecretDefinition {
  readonly name: string
  readonly arn: string
  /** The value that the template gives, or asks to generate. Undefined: the secret starts empty. */
  readonly initial: { readonly text: string } | { readonly generate: GeneratedSecret } | undefined
}

interface GeneratedSecret {
  readonly length: number
  /** A JSON object that takes the generated text, and the key for it. */
  readonly into: { readonly template: Readonly<Record<string, unknown>>; readonly key: string } | undefined
}

export class Deployment {
  readonly account: string
  readonly region: string
  readonly tables: (TableDefinition & Placed)[] = []
  readonly secrets: (SecretDefinition & Placed)[] = []
  /** Aliases of the keys of Ed25519. */
  readonly signingKeys: string[] = []
  readonly functions: (FunctionDefinition & Placed)[] = []
  readonly stateMachines: (StateMachine & Placed)[] = []
  readonly queues: (QueueDefinition & Placed)[] = []
  readonly topics: (TopicDefinition & Placed)[] = []
  readonly buses: (EventBus & Placed)[] = []
  readonly rules: (Rule & Placed)[] = []
  readonly schedules: (Schedule & Placed)[] = []
  readonly functionUrls: (FunctionUrl & Placed)[] = []
  httpApis: readonly HttpApi[] = []
  buckets: readonly (BucketDefinition & Placed)[] = []
  /** Statements by bucket ARN. */
  bucketPolicies: ReadonlyMap<string, readonly Statement[]> = new Map()
  readonly eventSources: (EventSourceDefinition & Placed)[] = []
  /** Retry settings of asynchronous invocations, by function ARN; only where they differ from the defaults. */
  readonly asyncSettings = new Map<string, AsyncSettings>()
  /** The permissions of services for functions and queues. */
  readonly grants: Grant[] = []
  /** Statements by role ARN. */
  readonly policies = new Map<string, readonly Statement[]>()
  /** Statements of permissions boundaries, by role ARN. Absent for a boundary from outside the assembly. */
  readonly boundaries = new Map<string, readonly Statement[]>()
  /** Policies by table ARN. */
  readonly tablePolicies = new Map<string, TablePolicy>()
  /** Statements by the ARN of a bus or a queue. */
  readonly resourcePolicies = new Map<string, readonly Statement[]>()

  constructor(account: string, region: string) {
    this.account = account
    this.region = region
  }
}
