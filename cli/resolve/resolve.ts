// `sluice resolve`: a person's decision on an intent in doubt. At a desk it examines the evidence before it asks for consent,
// and again before it writes; on AWS the function Resolve does. It records who decided, when and why. It sends nothing.

import type { ResolveAnswer } from '../../core/contract/people.ts'
import type { IntentKind } from '../../core/contract/records.ts'
import { Refused } from '../../core/errors.ts'
import { examineDoubt } from '../../core/movements/resolve-doubt.ts'
import { printable, printableJson } from '../../core/printable.ts'
import { askDoor } from '../../operations/connection/ask-door.ts'
import { evidenceFailure } from '../../operations/connection/journal/journal-failure.ts'
import { withJournalService } from '../../operations/connection/journal/journal-service.ts'
import { type JournalTarget, withJournalTarget } from '../../operations/connection/journal/journal-target.ts'
import type { PeopleDoor } from '../../operations/connection/people-door.ts'
import type { Consent } from '../../operations/consent.ts'
import { readReason, readWho } from '../../operations/decider.ts'
import { ExitCode } from '../../operations/exit-code.ts'
import { findOneIntent, readIntentKind } from '../../operations/movements/asked-kind.ts'
import { usageError } from '../../operations/operation-error.ts'
import { commandIn, quoted, type TargetFlags } from '../../operations/words/command-line.ts'
import type { DecisionFlags } from '../terminal/consent.ts'
import { withConsent } from '../terminal/consent-apart.ts'
import type { CommandContext } from '../terminal/context.ts'

export interface ResolveFlags extends TargetFlags, DecisionFlags {
  readonly movement?: string
  readonly kind?: string
  readonly none?: true
  readonly sameAccount?: true
}

/** What a person has found out. `by` is empty on AWS, where the function says it. */
interface Found {
  readonly intentId: string
  readonly movementId: string | undefined
  readonly isSameAccount: boolean
  readonly by: string
  readonly because: string
}

interface Resolved {
  readonly state: string
  readonly resolution?: ResolveAnswer['resolution']
}

/** @throws OperationError: exit 2 for flags and missing consent, exit 1 where the evidence speaks against it */
export async function resolve(intentId: string, flags: ResolveFlags, context: CommandContext): Promise<ExitCode> {
  const { output, variables } = context
  const movementId = movementOf(flags)
  const asked = readIntentKind(flags.kind)
  const word = movementId === undefined ? '--none' : `--movement ${quoted(movementId)}`
  const vouched = `resolve ${quoted(intentId)} ${word} --same-account --because TEXT`
  const by = readWho(flags, variables)
  const because = readReason(flags.because)
  const found = { intentId, movementId, isSameAccount: flags.sameAccount === true, by, because }
  const decide = (consent: Consent) =>
    withJournalTarget(
      flags,
      context,
      async (target) => {
        try {
          const { door } = target
          const kind = await kindOf(intentId, asked, target)
          if (door !== undefined) return await resolveByDoor(kind, found, door, consent)
          return await resolveHere(kind, found, { target, flags, context, consent })
        } catch (error) {
          throw evidenceFailure(error, flags, vouched)
        }
      },
      { asksService: true },
    )
  const { state, resolution } = await withConsent(flags, context, decide)
  const settled = movementId !== undefined && { movementId }
  output.data(
    output.json
      ? printableJson({ intentId, state, ...settled, resolution })
      : `${intentId} is ${state}${movementId === undefined ? '' : ` with movement ${printable(movementId)}`}`,
  )
  output.next([commandIn('attention', flags), 'the same run again gives its result'])
  return ExitCode.Done
}

async function kindOf(
  intentId: string,
  asked: IntentKind | undefined,
  { journal }: JournalTarget,
): Promise<IntentKind> {
  const named = await findOneIntent(intentId, asked, journal)
  if (named !== undefined) return named.kind
  throw new Refused(`the journal has no ${asked === undefined ? '' : `${asked} `}intent ${intentId}`)
}

function resolveByDoor(
  kind: IntentKind,
  { because, intentId: intent, isSameAccount: sameAccount, movementId }: Found,
  door: PeopleDoor,
  consent: Consent,
): Promise<Resolved> {
  const request = { action: 'resolve', kind, intent, movement: movementId ?? null, sameAccount, because } as const
  return askDoor((agreed) => door.resolve({ ...request, ...agreed }), consent)
}

interface Here {
  readonly target: JournalTarget
  readonly flags: ResolveFlags
  readonly context: CommandContext
  readonly consent: Consent
}

function resolveHere(
  kind: IntentKind,
  { because, by, ...found }: Found,
  { consent, context, flags, target }: Here,
): Promise<Resolved> {
  const { clock } = context
  const { findPin, journal, treasury } = target
  return withJournalService(target, flags, context, async (service) => {
    const ports = { journal, service, clock, findPin, timing: treasury.timing }
    const { carryOut, question } = await examineDoubt({ kind, ...found }, ports)
    consent.to(printable(question))
    return carryOut({ by, because, at: new Date(clock.nowMs()).toISOString() })
  })
}

function movementOf({ movement, none, kind: _kind, ...target }: ResolveFlags): string | undefined {
  const next = `${commandIn('attention', target)}   # shows the candidates`
  if ((movement === undefined) === (none === undefined)) {
    const got = none ? 'both' : 'neither'
    throw usageError('usage', `--movement and --none: expected one of them; got ${got}`, next)
  }
  if (movement === '') throw usageError('usage', '--movement: expected an id; got nothing', next)
  return movement
}
