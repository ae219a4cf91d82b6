// Enters again what stopped in doubt. It chooses the place (a desk, this process, or AWS), and enter.ts does the
// entering.

import { KeyRole } from '../../core/contract/service-settings.ts'
import type { Treasury } from '../../core/contract/treasury.ts'
import type { OperationContext, Progress } from '../../place/context.ts'
import { ExitCode } from '../../place/exit-code.ts'
import { sendingRoles } from '../../place/named-policy.ts'
import { advice, type ConnectionFlags, option, type Step } from '../../place/next-step.ts'
import { usageError } from '../../place/operation-error.ts'
import { findPlace, noteService, readKeys } from '../../place/place.ts'
import { atRunningPlace } from '../../place/running-place.ts'
import { readKind } from '../movements/record-kind.ts'
import { type RunConnection, withRemoteConnection } from '../runs/run-connection.ts'
import { type Done, enterArmed, enterOne } from './enter.ts'

/** Exactly one of `id` and `armed`. */
export interface AgainInput {
  /** Starts another execution beside one that is under way, instead of following it: that one only waits to read. */
  readonly beside?: true
  /** The id of an intent or a run, or the id that the person gave it. */
  readonly id?: string | undefined
  /** Every intent that was sent and is not settled, and the runs that these are legs of. */
  readonly armed?: true
  /** `convert`, `withdraw` or `run`, where several have the id. */
  readonly kind?: string
}

/** The intents and runs that were entered, and the exit code of the command. */
export interface AgainResult extends Done {
  /** The number of entered intents and runs that still need a person. */
  readonly inNeed: number
  readonly exitCode: ExitCode
  /** Repeats this work. */
  readonly again: Step
}

/**
 * Enters the intent or the run, or all that is in doubt. The exit code is 3 where something still needs a person, or
 * could not be entered.
 * @throws OperationError
 */
export async function enterCases(
  asked: AgainInput,
  flags: ConnectionFlags,
  progress: Progress,
  context: OperationContext,
): Promise<AgainResult> {
  const { id, armed, beside } = asked
  if ((id === undefined) === (armed === undefined)) {
    const got = id === undefined ? 'neither' : 'both'
    const next = { do: 'list-cases', why: 'what waits' } as const
    throw usageError(
      'usage',
      advice`again: expected the id of an intent or a run, or ${option('armed')}; got ${got}`,
      next,
    )
  }
  const kind = readKind(asked.kind)
  const again = { do: 'enter-again', id, kind } as const
  const work: Work = (connection) =>
    id === undefined
      ? enterArmed(connection, progress)
      : enterOne({ id, kind, nowMs: context.clock.nowMs(), beside: beside === true }, connection, progress)
  const done = await enterAt(id, work, again, { flags, progress }, context)
  const inNeed = done.entered.filter(({ exitCode }) => exitCode === ExitCode.NeedsPerson).length
  return { ...done, inNeed, again, exitCode: exitCodeOf(done, inNeed, id) }
}

function exitCodeOf({ entered, unreadable }: Done, inNeed: number, id: string | undefined): ExitCode {
  if (inNeed + unreadable.length > 0) return ExitCode.NeedsPerson
  return id === undefined ? ExitCode.Done : (entered[0]?.exitCode ?? ExitCode.Done)
}

type Work = (connection: RunConnection) => Promise<Done>

/** Works where the executions run. */
async function enterAt(
  id: string | undefined,
  work: Work,
  again: Step,
  { flags, progress }: { readonly flags: ConnectionFlags; readonly progress: Progress },
  context: OperationContext,
): Promise<Done> {
  const place = findPlace(flags, context)
  const treasury = await place.treasury()
  await noteService(place)
  const roles = rolesFor(id, treasury)
  const service = await readKeys(place, roles)
  const needs = { service, command: 'cases again', roles, progress, again }
  return atRunningPlace(place, needs, ({ address, clock, here }) =>
    here === undefined
      ? withRemoteConnection({ address, clock, onEvent: () => undefined, onBegin: () => undefined }, work)
      : work({ executions: here, journal: here }),
  )
}

/**
 * Key roles that the work needs. The prefix of an id that a person asked for says the kind of the intent. Otherwise all
 * roles that the policies send with are needed.
 */
function rolesFor(id: string | undefined, treasury: Treasury): KeyRole[] {
  if (id?.startsWith('cv-') === true) return [KeyRole.Trade]
  if (id?.startsWith('wd-') === true) return [KeyRole.Transfer]
  return sendingRoles(treasury)
}
