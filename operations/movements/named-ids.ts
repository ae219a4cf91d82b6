// Says which records of a journal a text may name. The id that a person gave to `sluice run` is hashed into the
// record's id, and an execution is named after its intent or run. Both are computed here, so nothing has to be scanned.
// It also compares other fields of a record with an id. Pure.

import { executionName, intentId, intentIdOf } from '../../core/contract/fields.ts'
import { IntentKind } from '../../core/contract/records.ts'
import { StateMachine } from '../../core/contract/states.ts'
import type { StoredRecord } from '../../core/journal/record-store.ts'
import { idMadeOf } from './intent-id.ts'
import { RequestKind } from './record-kind.ts'

/** A record that a text may name, and what the text would be to it, in words. */
interface NamedRecord {
  readonly id: string
  readonly as: string
}

export interface NamedIntent extends NamedRecord {
  readonly kind: IntentKind
}

interface NamedIds {
  /** Where the id does not say its kind, one intent of each kind. */
  readonly intents: readonly NamedIntent[]
  readonly runs: readonly NamedRecord[]
  /** Present where the text is the ARN of an execution, which says the kind. */
  readonly kind?: RequestKind
}

const kindOfMachine: Readonly<Record<string, RequestKind>> = {
  [StateMachine.Convert]: RequestKind.Convert,
  [StateMachine.Withdraw]: RequestKind.Withdraw,
  [StateMachine.Rebalance]: RequestKind.Run,
  [StateMachine.Sweep]: RequestKind.Run,
}

/** `arn:PARTITION:states:REGION:ACCOUNT:execution:MACHINE:NAME` */
const EXECUTION_ARN = /^arn:[a-z-]+:states:[^:]*:[^:]*:execution:([^:]+):([^:]+)$/

export function namedBy(text: string): NamedIds {
  const [, machine = '', name] = EXECUTION_ARN.exec(text) ?? []
  if (name !== undefined) {
    const kind = Object.hasOwn(kindOfMachine, machine) ? kindOfMachine[machine] : undefined
    const { intents, runs } = namesOf(name)
    const own = intents.filter((intent) => kind === undefined || kind === RequestKind.Run || intent.kind === kind)
    return { intents: own, runs, ...(kind !== undefined && { kind }) }
  }
  const { intents, runs } = namesOf(text)
  return {
    intents: [...intents, ...Object.values(IntentKind).map((kind) => ({ ...given(kind, text), kind }))],
    runs: [...runs, given('rebalance', text), given('sweep', text)],
  }
}

function namesOf(name: string): Pick<NamedIds, 'intents' | 'runs'> {
  if (!executionName.safeParse(name).success) return { intents: [], runs: [] }
  const id = intentIdOf(name)
  const isItself = intentId.safeParse(name).success
  const named = (itself: string) => [{ id, as: isItself ? itself : 'an execution' }]
  const intents = Object.values(IntentKind).flatMap((kind) =>
    named('the intent').map((record) => ({ ...record, kind })),
  )
  return { intents, runs: named('the run') }
}

function given(verb: Parameters<typeof idMadeOf>[0], text: string): NamedRecord {
  return { id: idMadeOf(verb, text), as: `the id given to run ${verb}` }
}

/**
 * Says what `id` is to an intent's record, where no key of the journal says it. It may be an unproven order, the nonce
 * of an attempt, a candidate row, or the id of the event that asked.
 */
export function findInIntent(record: StoredRecord, id: string): string | undefined {
  const { attempt, params, evidence, resolution, ref } = record
  if (fieldOf(attempt, 'orderId') === id) return 'the order of its last attempt'
  if (fieldOf(attempt, 'nonce') === id) return 'the nonce of its last attempt'
  if (fieldOf(attempt, 'owner') === id) return 'the sender of its last attempt'
  if (fieldOf(params, 'requestId') === id) return 'the event that asked for it'
  if (ref === id) return 'its movement'
  if (Array.isArray(evidence) && evidence.some((row) => isOfRow(row, id))) return 'a candidate'
  return fieldOf(resolution, 'movementId') === id ? 'the movement that a person chose' : undefined
}

interface NamedLeg {
  readonly intentId: string
  readonly kind: IntentKind
}

/** Says what `id` is to a run's record: the id of the run itself, or of the intent of one of its legs. */
export function findInRun(
  record: StoredRecord,
  id: string,
): { readonly as: string; readonly intentId?: undefined } | (NamedLeg & { readonly as: string }) | undefined {
  if (fieldOf(record.trigger, 'id') === id) return { as: 'what started it' }
  for (const [leg, result] of Object.entries(objectOf(record.results))) {
    const { conversion, withdrawal } = objectOf(result)
    const { fills } = objectOf(conversion)
    const converted = { intentId: leg, kind: IntentKind.Convert }
    const withdrawn = { intentId: leg, kind: IntentKind.Withdraw }
    if (fieldOf(conversion, 'orderId') === id) return { as: 'its order', ...converted }
    if (Array.isArray(fills) && fills.some((fill) => fieldOf(fill, 'id') === id))
      return { as: 'a fill of its order', ...converted }
    if (fieldOf(withdrawal, 'withdrawalId') === id) return { as: 'its withdrawal', ...withdrawn }
    if (isOfRow(withdrawal, id)) return { as: 'its transaction or bank reference', ...withdrawn }
  }
  return undefined
}

function isOfRow(row: unknown, id: string): boolean {
  return ['id', 'transactionHash', 'bankReference'].some((name) => fieldOf(row, name) === id)
}

function fieldOf(value: unknown, name: string): unknown {
  return objectOf(value)[name]
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
