// Builds what the functions at the edges hand to their decisions: Step Functions, the bus, and the inbox. It is apart from
// movement-wiring.ts, because these functions need no key of the service.
import { createInbox, type Inbox } from '../../core/journal/inbox.ts'
import { guardStore } from '../../core/journal/table-identity.ts'
import { createVerification } from '../../core/journal/verification.ts'
import { AWS_LIMITS, type AwsLimits } from '../../core/keys/aws-limits.ts'
import { createRequesters, type Requesters } from '../../core/runs/approval/requesters.ts'
import { createDescriber, type ExecutionText } from '../../core/triggers/describer.ts'
import { type BusEvent, createBus, eventBridgeClient } from '../../core/triggers/event-bus.ts'
import { sfnClient, sfnStarter } from '../../core/triggers/sfn-starter.ts'
import type { Starter } from '../../core/triggers/starter.ts'
import { newId, wireTable } from './clients.ts'
import { readEventBus, readStateMachines } from './environment.ts'

export function wireStarter(env: NodeJS.ProcessEnv): Starter {
  return sfnStarter(sfnClient(), readStateMachines(env))
}

export interface StartRecords {
  /** Before anybody has verified the keys, nobody has said whose the table is: that is no fault yet, and starts nothing. */
  readonly isVerified: () => Promise<boolean>
  readonly requesters: Requesters
}

/** Its role may touch no other records than these, and read those that say whose the journal is. */
export function wireStartRecords(env: NodeJS.ProcessEnv): StartRecords {
  const { store, assertOwnTable } = wireTable(env)
  const isVerified = createVerification(store)
  // Warms the connection up, and mostly is the answer.
  isVerified().catch(() => undefined)
  return {
    async isVerified() {
      if (!(await isVerified())) return false
      await assertOwnTable()
      return true
    },
    requesters: createRequesters(guardStore(store, assertOwnTable), newId),
  }
}

export function wireDescriber(): (executionArn: string) => Promise<ExecutionText> {
  return createDescriber(sfnClient())
}

export function wireBus(env: NodeJS.ProcessEnv, limits: AwsLimits = AWS_LIMITS): (event: BusEvent) => Promise<void> {
  return createBus(eventBridgeClient(limits), readEventBus(env))
}

export interface DepositRecords {
  readonly inbox: Inbox
  readonly isVerified: () => Promise<boolean>
  readonly requesters: Requesters
}

/** Its role may touch no other records than these, and read those that say whose the journal is. One table, asked once. */
export function wireDepositRecords(env: NodeJS.ProcessEnv): DepositRecords {
  const { store, assertOwnTable } = wireTable(env)
  const own = guardStore(store, assertOwnTable)
  return {
    ...{ inbox: createInbox(own, newId), requesters: createRequesters(own, newId) },
    isVerified: createVerification(store),
  }
}
