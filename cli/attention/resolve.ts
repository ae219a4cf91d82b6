// `sluice resolve`: a person's word on an intent in doubt. Examines the evidence before it asks for
// consent and again before it writes; records who, when and why. Sends nothing.

import type { Clock } from '../../core/clock.ts'
import { IntentKind } from '../../core/contract/records.ts'
import { Refused } from '../../core/errors.ts'
import { examineLost } from '../../core/journal/examine-lost.ts'
import { type Intent, isLost, isWithdrawal } from '../../core/journal/intent.ts'
import { SAY_SAME_ACCOUNT } from '../../core/journal/own-key.ts'
import { type Examine, findResolvable, resolveIntent } from '../../core/journal/resolution.ts'
import { examineOrder } from '../../core/movements/conversion/examine-order.ts'
import { examineWithdrawal } from '../../core/movements/withdrawal/examine-withdrawal.ts'
import { problemOf } from '../../core/service/problem.ts'
import type { ServiceClient } from '../../core/service/service-client.ts'
import { CommandError, usageError } from '../command-error.ts'
import { commandIn, commandWith, quoted } from '../command-line.ts'
import { requireConsent } from '../consent.ts'
import type { CommandContext } from '../context.ts'
import { ExitCode } from '../exit-code.ts'
import { serviceFailure } from '../service-failure.ts'
import { printable, printableJson } from '../table.ts'
import { journalFailure } from './journal-failure.ts'
import { type JournalPlace, type PlaceFlags, withJournalPlace } from './journal-place.ts'
import { readName, readReason } from './person.ts'
import { withPlaceService } from './place-service.ts'

export interface ResolveFlags extends PlaceFlags {
  readonly movement?: string
  readonly none?: true
  readonly sameAccount?: true
  readonly because?: string
  readonly by?: string
  readonly yes?: true
  /** False with --no-input. */
  readonly input?: boolean
}

/** @throws CommandError: exit 2 for flags and missing consent, exit 1 where the evidence speaks against it */
export async function resolve(intentId: string, flags: ResolveFlags, context: CommandContext): Promise<ExitCode> {
  const { clock, output, variables } = context
  const movementId = movementOf(flags)
  const word = movementId === undefined ? '--none' : `--movement ${quoted(movementId)}`
  const vouched = `resolve ${quoted(intentId)} ${word} --same-account --because TEXT`
  const by = readName(flags.by, variables)
  const because = readReason(flags.because)
  const resolved = await withJournalPlace(flags, context, (place) =>
    withPlaceService(place, flags, context, async (client) => {
      const isSameAccount = flags.sameAccount === true
      const examine = await examineWith(client, place, clock, isSameAccount)
      const { journal } = place
      const intent = await findResolvable(intentId, movementId, examine, journal)
      const kid = await client.keyInUse()
      const question = `${questionOf(intent, movementId)}${isSameAccount ? vouchingOf(intent, kid) : ''}?`
      await requireConsent({ question, isGiven: flags.yes === true, isSilent: flags.input === false }, context)
      const at = new Date(clock.nowMs()).toISOString()
      const resolution = {
        ...{ by, because, at },
        ...(movementId !== undefined && { movementId }),
        ...(isSameAccount && { sameAccount: kid }),
      }
      return resolveIntent(intentId, resolution, examine, journal)
    }).catch((error: unknown) => Promise.reject(evidenceFailure(error, flags, vouched))),
  )
  const { state, ref, resolution } = resolved
  output.data(
    output.json
      ? printableJson({ intentId, state, ...(ref !== undefined && { movementId: ref }), resolution })
      : `${intentId} is ${state}${ref === undefined ? '' : ` with movement ${printable(ref)}`}`,
  )
  output.next([commandIn('attention', flags), 'the same run again gives its result'])
  return ExitCode.Done
}

function movementOf({ movement, none, ...place }: ResolveFlags): string | undefined {
  const next = `${commandIn('attention', place)}   # shows the candidates`
  if ((movement === undefined) === (none === undefined)) {
    const got = none ? 'both' : 'neither'
    throw usageError('usage', `--movement and --none: expected one of them; got ${got}`, next)
  }
  if (movement === '') throw usageError('usage', '--movement: expected an id; got nothing', next)
  return movement
}

/** Each kind of intent is examined in its own way, and one whose record was lost in another. */
async function examineWith(
  service: ServiceClient,
  { journal, treasury: { timing }, findPin }: JournalPlace,
  clock: Clock,
  isSameAccount: boolean,
): Promise<Examine> {
  const ports = { journal, service, timing, word: { isSameAccount, pinned: await findPin() } }
  const withdrawal = examineWithdrawal(ports)
  const order = examineOrder(ports)
  const lost = examineLost({ ...ports, clock })
  return (intent, movementId) => {
    if (isLost(intent)) return lost(intent, movementId)
    return intent.kind === IntentKind.Withdraw ? withdrawal(intent, movementId) : order(intent, movementId)
  }
}

function questionOf(intent: Intent, movementId: string | undefined): string {
  const what = `intent ${printable(intent.intentId)} (${intent.kind}, ${intent.state})`
  if (movementId !== undefined) return `settle ${what} as done, with movement ${printable(movementId)}`
  const isAccepted = isWithdrawal(intent) && intent.attempt?.accepted === true
  const yes = isAccepted ? ' although the service said yes to it' : ''
  return `settle ${what} as having moved nothing${yes}, for good`
}

function vouchingOf({ attempt }: Intent, kid: string): string {
  const signed = attempt === undefined ? 'those that signed' : attempt.kid
  return `, on your word that the keys ${kid} and ${printable(signed)} are of one account`
}

/**
 * A no of the evidence is a no; a no of the service says what it is about. `vouched`: the words with which a person
 * says that the keys are of one account.
 */
export function evidenceFailure(error: unknown, flags: PlaceFlags, vouched?: string): unknown {
  if (error instanceof Refused && problemOf(error) === undefined) {
    const next =
      vouched !== undefined && error.message.includes(SAY_SAME_ACCOUNT)
        ? commandWith(vouched, flags)
        : `${commandIn('attention', flags)}   # what is known of it`
    const message = `${error.message}; nothing was recorded`
    return new CommandError({ exitCode: ExitCode.Failed, code: 'refused', message, next }, { cause: error })
  }
  const failure = journalFailure(error)
  return failure === error ? serviceFailure(error) : failure
}
