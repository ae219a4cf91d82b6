// Builds what the functions at the edges hand to their decisions: Step Functions, the bus, the inbox, and the check of
// a webhook's signature. It is apart from movement-wiring.ts, because these functions need no key of the service.
import { systemClock } from '../../core/clock.ts'
import { Defect } from '../../core/errors.ts'
import { createInbox, type Inbox } from '../../core/journal/inbox.ts'
import { createVerification } from '../../core/journal/verification.ts'
import type { KeySource } from '../../core/keys/key-source.ts'
import { createServiceClient } from '../../core/service/service-client.ts'
import { createWebhookVerifier, type VerifyWebhook } from '../../core/service/webhook-keys.ts'
import { createDescriber, type ExecutionText } from '../../core/triggers/describer.ts'
import { type BusEvent, createBus, eventBridgeClient } from '../../core/triggers/event-bus.ts'
import { sfnClient, sfnStarter } from '../../core/triggers/sfn-starter.ts'
import type { Starter } from '../../core/triggers/starter.ts'
import { newId, wireStore, wireTable } from './clients.ts'
import { readEventBus, readServiceUrl, readStateMachines } from './environment.ts'

export function wireStarter(env: NodeJS.ProcessEnv): Starter {
  return sfnStarter(sfnClient(), readStateMachines(env))
}

/** Its role may read no other record than this one, and those that say whose the journal is. */
export function wireVerification(env: NodeJS.ProcessEnv): () => Promise<boolean> {
  const { store, assertOwnTable } = wireTable(env, { mayDeclare: false })
  const isVerified = createVerification(store)
  // Warms the connection up, and mostly is the answer.
  isVerified().catch(() => undefined)
  // Before anybody has verified the keys, nobody has said whose the table is: that is no fault yet, and starts nothing.
  return async () => {
    if (!(await isVerified())) return false
    await assertOwnTable()
    return true
  }
}

export function wireDescriber(): (executionArn: string) => Promise<ExecutionText> {
  return createDescriber(sfnClient())
}

export function wireBus(env: NodeJS.ProcessEnv): (event: BusEvent) => Promise<void> {
  return createBus(eventBridgeClient(), readEventBus(env))
}

/** Its role may touch no other record of the journal, and read those that say whose it is: so the connection is warmed up by one of these. */
export function wireInbox(env: NodeJS.ProcessEnv): Inbox {
  const inbox = createInbox(wireStore(env, { mayDeclare: false }), newId)
  inbox.has('warm-up').catch(() => undefined)
  return inbox
}

/** The published keys are read openly: whoever faces the internet holds no key of the service. */
const NO_KEY: KeySource = {
  current: async () => {
    throw new Defect('this function has no key of the service')
  },
  forget: () => undefined,
}

export function wireWebhookVerifier(env: NodeJS.ProcessEnv): VerifyWebhook {
  const client = createServiceClient({ baseUrl: readServiceUrl(env), key: NO_KEY, clock: systemClock, newId })
  return createWebhookVerifier(client.webhookKeys, systemClock)
}
