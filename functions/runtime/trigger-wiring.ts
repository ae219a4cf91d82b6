// Builds the ports of the functions that start and announce: Step Functions, the bus, and the inbox. It is separate
// from movement-wiring.ts, because these functions need no key of the service.
import { createInbox } from '../../core/journal/inbox.ts'
import { guardStore } from '../../core/journal/table-identity.ts'
import { createVerification } from '../../core/journal/verification.ts'
import { AWS_LIMITS, type AwsLimits } from '../../core/keys/aws-limits.ts'
import { createRequesters } from '../../core/runs/approval/requesters.ts'
import { type BusEvent, createBus, eventBridgeClient } from '../../core/triggers/event-bus.ts'
import type { Starter } from '../../core/triggers/starter.ts'
import { createDescriber, type ExecutionText, sfnClient, sfnStarter } from '../../core/triggers/step-functions.ts'
import { newId, wireTable } from './clients.ts'
import { readEventBus, readStateMachines } from './environment.ts'

export function wireStarter(env: NodeJS.ProcessEnv): Starter {
  return sfnStarter(sfnClient(), readStateMachines(env))
}

/** The function's role allows only these records, and reads of the records that identify the journal. */
export function wireStartRecords(env: NodeJS.ProcessEnv) {
  const { store, assertOwnTable } = wireTable(env)
  const isVerified = createVerification(store)
  // Warms up the connection, and mostly gives the answer already.
  isVerified().catch(() => undefined)
  return {
    /** Whether anybody has verified the keys and declared the journal. False is no fault, and starts nothing. @throws Transient */
    async isVerified(): Promise<boolean> {
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

/**
 * The function's role allows only these records, and reads of the records that identify the journal. The table is
 * checked once.
 */
export function wireDepositRecords(env: NodeJS.ProcessEnv) {
  const { store, assertOwnTable } = wireTable(env)
  const own = guardStore(store, assertOwnTable)
  return {
    inbox: createInbox(own, newId),
    requesters: createRequesters(own, newId),
    isVerified: createVerification(store),
  }
}
