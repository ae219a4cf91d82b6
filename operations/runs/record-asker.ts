// Records who asks for a single conversion or withdrawal, before its execution is started. On AWS the function RequestRun
// records the identity that signed. In a state directory the given name is recorded here. The record is for the log of
// people: on AWS the movement is started where it cannot be written, and a note says so.

import { randomUUID } from 'node:crypto'
import type { Clock } from '../../core/clock.ts'
import { intentIdOf } from '../../core/contract/fields.ts'
import type { PayoutRow } from '../../core/contract/payouts.ts'
import type { AskMovementRequest } from '../../core/contract/people.ts'
import { IntentKind } from '../../core/contract/records.ts'
import { MACHINE_OF_INTENTS, type StateMachine } from '../../core/contract/states.ts'
import { SluiceError } from '../../core/errors.ts'
import { createAskers } from '../../core/journal/askers.ts'
import { createJournal } from '../../core/journal/journal.ts'
import type { RecordStore } from '../../core/journal/record-store.ts'
import { hashParams } from '../../core/params-hash.ts'
import type { PeopleDoor } from '../../place/aws/people-door.ts'
import { OperationError } from '../../place/operation-error.ts'
import type { Executions } from './follow-execution.ts'

type StartExecution = Executions['startExecution']
type Started = Parameters<StartExecution>[0]

/** How a request is named for people: the id that the person gave. */
export interface Asking {
  readonly ownId: string | undefined
  /** Says that who asked was not recorded, and why. */
  readonly note: (text: string) => void
  /** The rows that a run's request names by pages: the function writes them. */
  readonly rows?: readonly PayoutRow[] | undefined
}

/** Undefined for a run, and for a later entry of a movement. */
export function movementRequestOf(
  { input, name, stateMachine }: Started,
  ownId?: string,
): AskMovementRequest | undefined {
  const kind = kindOf(stateMachine)
  if (kind === undefined || intentIdOf(name) !== name) return undefined
  const requestHash = hashParams(JSON.parse(input))
  return { kind, intent: name, requestHash, ...(ownId !== undefined && { ownId }) }
}

/** Starts after the function has recorded the identity that signed. */
export function askingByFunction(
  start: StartExecution,
  door: Pick<PeopleDoor, 'askMovement'>,
  { note, ownId }: Asking,
): StartExecution {
  return async (started) => {
    const request = movementRequestOf(started, ownId)
    if (request !== undefined) {
      const answer = await door.askMovement(request).catch((error: unknown) => {
        if (!(error instanceof SluiceError || error instanceof OperationError)) throw error
        note(`the log of people will not know who asked: ${error.message}`)
        return undefined
      })
      if (answer?.outcome === 'BEGUN')
        note('the log of people does not know who asked: it has begun without that record')
    }
    return start(started)
  }
}

/** Records the name in a state directory's journal, unless the intent has begun. @throws Transient, Defect */
export async function recordAskerAtDesk(
  { intent, kind, ownId, requestHash }: AskMovementRequest,
  by: string,
  store: RecordStore,
  clock: Pick<Clock, 'nowMs'>,
): Promise<void> {
  if ((await createJournal(store, randomUUID).find(intent, kind)) !== undefined) return
  const at = new Date(clock.nowMs()).toISOString()
  const asker = { by, at, requestHash, ...(ownId !== undefined && { ownId }) }
  await createAskers(store, randomUUID).record(kind, intent, asker)
}

function kindOf(stateMachine: StateMachine): IntentKind | undefined {
  return Object.values(IntentKind).find((kind) => MACHINE_OF_INTENTS[kind] === stateMachine)
}
