// Throws the switch in the journal that every send reads right before ARM: a halt of everything or of one policy, and
// its end. The result says what the journal showed, including whether anything was halted and what still is.

import { EVERYTHING, type Halt } from '../../core/journal/halts.ts'
import type { OperationContext } from '../../place/context.ts'
import { readReason, readWho } from '../../place/decider.ts'
import { ExitCode } from '../../place/exit-code.ts'
import type { ConfiguredJournal, PlacedJournal, RunAccess } from '../../place/journal/journal-parts.ts'
import { withJournalConnection } from '../../place/journal-connection.ts'
import { assertKnownPolicy, assertPolicyName } from '../../place/named-policy.ts'
import type { ConnectionFlags } from '../../place/next-step.ts'
import { failedWith, type OperationError } from '../../place/operation-error.ts'
import { findOtherService } from '../../place/state/account-pin.ts'
import { markOfHalt } from '../words/halt-words.ts'
import type { NamedRun } from '../words/run-name.ts'
import { findDecided } from './carry-on.ts'

export interface SwitchInput {
  /** Absent: everything. */
  readonly policy?: string
  readonly because?: string
  readonly by?: string
  /** On AWS: bypasses the function that records who asked. */
  readonly directly?: true
}

interface ResumeInput extends SwitchInput {
  /** The mark of the halt that the person has read on a page. Absent: every halt of the scope. */
  readonly read?: string
}

export interface Halted {
  readonly record: Halt
  /** Earlier halts of the same scope. */
  readonly before: readonly Halt[]
  /** The service whose records are in the same directory, and which is not halted. */
  readonly notHalted: string | undefined
  /** Whether it bypassed the function that records who asked. Nobody has checked the name then. */
  readonly isDirect: boolean
}

export interface Resumed {
  readonly record: Halt
  readonly wasHalted: boolean
  /** Whether another person has to resume it too. */
  readonly isWaiting: boolean
  /** Halts that are still in force. Complete only with `isKnown`. */
  readonly still: readonly Halt[]
  readonly isKnown: boolean
  readonly isDirect: boolean
  /** The runs that people decided on during the halt, and that no halt holds any more. */
  readonly decided: readonly NamedRun[]
}

/** Options under which a switch waits for nothing that it does not need. */
export function atOnce({ directly }: Pick<SwitchInput, 'directly'>) {
  return { needsConfiguration: false, directly: directly === true }
}

/** @throws OperationError (exit 2) for an unknown policy, or a person without a name */
export async function haltSending(
  asked: SwitchInput,
  flags: ConnectionFlags,
  context: OperationContext,
): Promise<Halted> {
  let record = readSwitch(asked, flags, context)
  let before: readonly Halt[] | undefined
  const notHalted = await withJournalConnection(
    flags,
    context,
    async (connection) => {
      await assertKnownScope(record.scope, connection, context)
      // The work may begin again where a desk dies. The second try would find its own halt.
      before ??= await connection.halts.findOf(record.scope)
      record = { ...record, ...(await connection.halts.halt(record)) }
      return otherServiceOf(connection)
    },
    atOnce(asked),
  )
  return { record, before: before ?? [], notHalted, isDirect: asked.directly === true }
}

/** A person in a hurry names no service, so another service's records may be in the same directory. */
function otherServiceOf({ embedded }: PlacedJournal): string | undefined {
  return embedded && findOtherService(embedded.stateDir, embedded.serviceUrl)
}

/**
 * Changes nothing where nothing was halted.
 * @throws OperationError as `haltSending` does; exit 1 where the halt that the person has read is no longer in force
 */
export async function resumeSending(
  asked: ResumeInput,
  flags: ConnectionFlags,
  context: OperationContext,
): Promise<Resumed> {
  let record = readSwitch(asked, flags, context)
  const lifted = new Set<string>()
  const waits = new Set<string>()
  const { others, decided } = await withJournalConnection(
    flags,
    context,
    async (connection) => {
      await assertKnownScope(record.scope, connection, context)
      // A breaker may have halted it under a former name.
      for (const scope of await connection.namesOf(record.scope)) {
        const inForce = await connection.halts.findOf(scope)
        const found = asked.read === undefined ? inForce : inForce.filter((halt) => markOfHalt(halt) === asked.read)
        if (found.length === 0) continue
        const { isLifted, ...recorded } = await connection.halts.resume({ ...record, scope }, found)
        record = { ...record, ...recorded }
        // The work may begin again where a desk dies. What the first try lifted is no longer in force then.
        if (isLifted) lifted.add(scope)
        else waits.add(scope)
      }
      if (asked.read !== undefined && lifted.size + waits.size === 0) throw noLongerInForce()
      // The switch is thrown already, so a failure to read the other halts or the runs is ignored.
      const decided = lifted.size === 0 ? [] : findDecided(connection, context.clock.nowMs()).catch(() => [])
      return { others: await connection.haltsInForce().catch(() => undefined), decided: await decided }
    },
    atOnce(asked),
  )
  return {
    record,
    decided,
    wasHalted: lifted.size + waits.size > 0,
    isWaiting: waits.size > 0,
    still: (others ?? []).filter(({ scope }) => !lifted.has(scope)),
    isKnown: others !== undefined,
    isDirect: asked.directly === true,
  }
}

export function resumeExitCode({ isWaiting }: Resumed): ExitCode {
  return isWaiting ? ExitCode.AwaitsApproval : ExitCode.Done
}

function noLongerInForce(): OperationError {
  return failedWith('refused', 'the halt that was read is no longer in force; nothing was changed', {
    do: 'list-cases',
    why: 'what is halted now',
  })
}

function readSwitch(asked: SwitchInput, flags: ConnectionFlags, { clock, variables }: OperationContext): Halt {
  if (asked.policy !== undefined) assertPolicyName(asked.policy)
  const by = readWho({ ...flags, ...asked }, variables)
  const because = asked.because === undefined ? 'no reason was given' : readReason(asked.because)
  return { scope: asked.policy ?? EVERYTHING, by, because, at: new Date(clock.nowMs()).toISOString() }
}

async function assertKnownScope(
  scope: string,
  connection: ConfiguredJournal & RunAccess,
  { clock }: OperationContext,
): Promise<void> {
  if (scope !== EVERYTHING) await assertKnownPolicy(scope, connection, clock.nowMs())
}
