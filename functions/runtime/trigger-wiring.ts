// Builds the ports of the functions that start and announce: Step Functions, the bus, and the inbox. It is separate
// from movement-wiring.ts, because these functions need no key of the service.
import { createInbox, type Inbox } from '../../core/journal/inbox.ts'
import { guardStore } from '../../core/journal/table-identity.ts'
import { createVerification } from '../../core/journal/verification.ts'
import { AWS_LIMITS, type AwsLimits } from '../../core/keys/aws-limits.ts'
import { createRequesters, type Requesters } from '../../core/runs/approval/requesters.ts'
import { type BusEvent, createBus, eventBridgeClient } from '../../core/triggers/event-bus.ts'
import type { Starter } from '../../core/triggers/starter.ts'
import { createDescriber, type ExecutionText, sfnClient, sfnStarter } from '../../core/triggers/step-functions.ts'
import { newId, wireTable } from './clients.ts'
import { readEventBus, readStateMachines } from './environment.ts'

export function wireStarter(env: NodeJS.ProcessEnv): Starter {
  return sfnStarter(sfnClient(), readStateMachines(env))
}

interface StartRecords {
  /**
   * Whether anybody has verified the keys and declared the journal. False is no fault, and starts nothing.
   * @throws Transient
   */
  readonly isVerified: () => Promise<boolean>
  readonly requesters: Requesters
}

/** The function's role allows only these records, and reads of the records that identify the journal. */
export function wireStartRecords(env: NodeJS.ProcessEnv): StartRecords {
  const { store, assertOwnTable } = wireTable(env)
  const isVerified = createVerification(store)
  // Warms up the connection, and mostly gives the answer already.
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

interface DepositRecords {
  readonly inbox: Inbox
  readonly isVerified: () => Promise<boolean>
  readonly requesters: Requesters
}

/**
 * The function's role allows only these records, and reads of the records that identify the journal. The table is
 * checked once.
 */
export function wireDepositRecords(env: NodeJS.ProcessEnv): DepositRecords {
  const { store, assertOwnTable } = wireTable(env)
  const own = guardStore(store, assertOwnTable)
  return {
    ...{ inbox: createInbox(own, newId), requesters: createRequesters(own, newId) },
    isVerified: createVerification(store),
  }
}
