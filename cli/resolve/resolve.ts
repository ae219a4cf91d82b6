// `sluice resolve`: a person's decision on an intent in doubt. It examines the evidence before it asks for consent, and
// again before it writes. It records who decided, when and why. It sends nothing.
import type { Clock } from '../../core/clock.ts'
import { IntentKind } from '../../core/contract/records.ts'
import { Refused } from '../../core/errors.ts'
import { examineLost } from '../../core/journal/examine-lost.ts'
import { type Intent, isLost, isWithdrawal } from '../../core/journal/intent.ts'
import { type Examine, findResolvable, resolveIntent } from '../../core/journal/resolution.ts'
import { examineOrder } from '../../core/movements/conversion/examine-order.ts'
import { examineWithdrawal } from '../../core/movements/withdrawal/examine-withdrawal.ts'
import type { ServiceClient } from '../../core/service/service-client.ts'
import { findOneIntent, readIntentKind } from '../show/asked-kind.ts'
import { evidenceFailure } from '../target/journal/journal-failure.ts'
import { withJournalService } from '../target/journal/journal-service.ts'
import { type JournalTarget, withJournalTarget } from '../target/journal/journal-target.ts'
import { usageError } from '../terminal/command-error.ts'
import { commandIn, quoted, type TargetFlags } from '../terminal/command-line.ts'
import { type DecisionFlags, readName, readReason } from '../terminal/consent.ts'
import { type Consent, withConsent } from '../terminal/consent-apart.ts'
import type { CommandContext } from '../terminal/context.ts'
import { ExitCode } from '../terminal/exit-code.ts'
import { printable, printableJson } from '../terminal/table.ts'

export interface ResolveFlags extends TargetFlags, DecisionFlags {
  readonly movement?: string
  readonly kind?: string
  readonly none?: true
  readonly sameAccount?: true
}

/** @throws CommandError: exit 2 for flags and missing consent, exit 1 where the evidence speaks against it */
export async function resolve(intentId: string, flags: ResolveFlags, context: CommandContext): Promise<ExitCode> {
  const { clock, output, variables } = context
  const movementId = movementOf(flags)
  const kind = readIntentKind(flags.kind)
  const word = movementId === undefined ? '--none' : `--movement ${quoted(movementId)}`
  const vouched = `resolve ${quoted(intentId)} ${word} --same-account --because TEXT`
  const by = readName(flags.by, variables)
  const because = readReason(flags.because)
  const decide = (consent: Consent) =>
    withJournalTarget(
      flags,
      context,
      (target) =>
        withJournalService(target, flags, context, async (client) => {
          const isSameAccount = flags.sameAccount === true
          const examine = await examineWith(client, target, clock, isSameAccount)
          const { journal } = target
          const named = await findOneIntent(intentId, kind, journal)
          if (named === undefined)
            throw new Refused(`the journal has no ${kind === undefined ? '' : `${kind} `}intent ${intentId}`)
          const intent = await findResolvable(named, movementId, examine, journal)
          const kid = await client.keyInUse()
          const question = `${questionOf(intent, movementId)}${isSameAccount ? vouchingOf(intent, kid) : ''}?`
          consent.to(question)
          const at = new Date(clock.nowMs()).toISOString()
          const resolution = {
            by,
            because,
            at,
            ...(movementId !== undefined && { movementId }),
            ...(isSameAccount && { sameAccount: kid }),
          }
          return resolveIntent(named, resolution, examine, journal)
        }).catch((error: unknown) => Promise.reject(evidenceFailure(error, flags, vouched))),
      { asksService: true },
    )
  const resolved = await withConsent(flags, context, decide)
  const { state, ref, resolution } = resolved
  output.data(
    output.json
      ? printableJson({ intentId, state, ...(ref !== undefined && { movementId: ref }), resolution })
      : `${intentId} is ${state}${ref === undefined ? '' : ` with movement ${printable(ref)}`}`,
  )
  output.next([commandIn('attention', flags), 'the same run again gives its result'])
  return ExitCode.Done
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

/** Each kind of intent is examined in its own way. An intent whose record was lost is examined in a third way. */
async function examineWith(
  service: ServiceClient,
  { journal, treasury: { timing }, findPin }: JournalTarget,
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
