// Makes the id of an intent or a run from the id that a person gives, and a new id where none is given. It is also the
// name of the execution.

import { createHash, randomBytes } from 'node:crypto'
import { ownId } from '../../core/contract/fields.ts'
import { advice, option } from '../../place/next-step.ts'
import { unfit } from '../../place/operation-error.ts'

/** Never change it: another label would give a known id another intent, and so a second movement. */
const LABEL = 'sluice/run'
const PREFIX = { convert: 'cv', withdraw: 'wd', rebalance: 'rb', sweep: 'sw' } as const
export type RunVerb = keyof typeof PREFIX

const RUN_ID_LENGTH = 200

/** Returns the same intent id for the same verb and id, always. */
export function idMadeOf(verb: RunVerb, runId: string): string {
  const digest = createHash('sha256').update(`${LABEL}\n${verb}\n${runId}`).digest('hex')
  return `${PREFIX[verb]}-${digest.slice(0, 32)}`
}

/** @throws OperationError (exit 2). */
export function parseRunId(text: string): string {
  // Control characters are refused, because the id is printed as part of a command, and in lists.
  if (ownId.safeParse(text).success) return text
  throw unfit(
    'id',
    `expected 1 to ${RUN_ID_LENGTH} printable characters; got ${text.length}`,
    advice`choose another ${option('id')}`,
  )
}

/** Makes an id for a run that was given none. It is printed, so that the run can be continued. */
export function newRunId(): string {
  return `run-${randomBytes(8).toString('hex')}`
}
