// `sluice foreign`: a person's word that a movement on the account belongs to others. It looks at the movement and at
// the intents in doubt before it asks for consent. It records who decided, when and why. It sends nothing.
import { IntentKind } from '../../core/contract/records.ts'
import { Refused } from '../../core/errors.ts'
import { declareForeign, findWaitingFor, type ShownMovement } from '../../core/movements/withdrawal/foreign.ts'
import type { ServiceClient } from '../../core/service/service-client.ts'
import { evidenceFailure } from '../target/journal/journal-failure.ts'
import { withJournalService } from '../target/journal/journal-service.ts'
import { withJournalTarget } from '../target/journal/journal-target.ts'
import { usageError } from '../terminal/command-error.ts'
import { commandIn, commandNeedingKeys, commandWith, type TargetFlags } from '../terminal/command-line.ts'
import { type DecisionFlags, readName, readReason } from '../terminal/consent.ts'
import { type Consent, withConsent } from '../terminal/consent-apart.ts'
import type { CommandContext } from '../terminal/context.ts'
import { ExitCode } from '../terminal/exit-code.ts'
import { printable, printableJson } from '../terminal/table.ts'

export interface ForeignFlags extends TargetFlags, DecisionFlags {
  readonly kind?: string
  /** The intents in doubt that did not make the movement, as the person says. */
  readonly notOf?: readonly string[]
}

/** @throws CommandError: exit 2 for flags and missing consent, exit 1 where the evidence speaks against it */
export async function foreign(movementId: string, flags: ForeignFlags, context: CommandContext): Promise<ExitCode> {
  const { clock, output, variables } = context
  const reconcile = commandNeedingKeys('reconcile', flags)
  if (movementId === '') {
    throw usageError('usage', 'movement: expected the id of an order or a withdrawal; got nothing', reconcile)
  }
  const kind = readKind(flags.kind, reconcile)
  const by = readName(flags.by, variables)
  const because = readReason(flags.because)
  const word = { by, because, at: new Date(clock.nowMs()).toISOString() }
  const declare = (consent: Consent) =>
    withJournalTarget(
      flags,
      context,
      (target) =>
        withJournalService(target, flags, context, async (client) => {
          const movement = await findMovement(movementId, kind, client)
          if (target.embedded === undefined) assertIndexHasCaughtUp(movement, clock.nowMs())
          const waitingFor = findWaitingFor(movement, await target.allOpenIntents(), flags.notOf ?? [])
          const question = questionOf(
            movement,
            waitingFor.map(({ intentId }) => intentId),
          )
          consent.to(question)
          await declareForeign(movement, word, target.journal)
          return waitingFor
        }).catch((error: unknown) => Promise.reject(evidenceFailure(error, flags))),
      { asksService: true },
    )
  const waiting = await withConsent(flags, context, declare)
  const record = { movementId, ...(kind && { kind }), foreign: word }
  output.data(output.json ? printableJson(record) : `${printable(movementId)} is others' business`)
  output.next([
    ...waiting.map(
      ({ intentId }) =>
        `${commandWith(`resolve ${intentId} --none --because TEXT`, flags)}   # where nothing moved for it`,
    ),
    commandIn('attention', flags),
  ])
  return ExitCode.Done
}

const KINDS = ['order', 'withdrawal'] as const
type MovementKind = (typeof KINDS)[number]

function readKind(asked: string | undefined, reconcile: string): MovementKind | undefined {
  const kind = KINDS.find((each) => each === asked)
  if (kind !== undefined || asked === undefined) return kind
  throw usageError('usage', '--kind: expected order or withdrawal; got another', `${reconcile}   # tells which it is`)
}

/** Ids are unique only within their kind. Where both kinds have the id, the person must name the kind. */
export async function findMovement(
  id: string,
  kind: MovementKind | undefined,
  client: Pick<ServiceClient, 'findWithdrawal' | 'findOrder'>,
): Promise<ShownMovement> {
  const row = kind === 'order' ? undefined : await client.findWithdrawal(id)
  const order = kind === 'withdrawal' ? undefined : await client.findOrder(id)
  if (row !== undefined && order !== undefined) {
    const message = `a withdrawal and an order have the id ${printable(id)}: which of them is meant is not said`
    throw usageError('usage', message, 'the same command with --kind withdrawal, or --kind order')
  }
  if (row !== undefined) return { kind: IntentKind.Withdraw, id, row }
  if (order !== undefined) {
    const { side, createdAt } = order
    return { kind: IntentKind.Convert, id, order: { side, createdAt } }
  }
  throw new Refused(`the service has no ${kind ?? 'withdrawal and no order'} ${id}`)
}

/**
 * How old a movement must be on AWS. The intents that may have made it are listed by an index, which DynamoDB fills within
 * moments and without a promise. An intent is in that list before it sends, so its entry is older than its movement. At a
 * desk the index is written with the record.
 */
const LEAST_AGE_MS = 5 * 60_000

/** @throws Refused for a movement whose own intent the index may not list yet; of one without a time, nothing speaks for that */
export function assertIndexHasCaughtUp({ id, row, order }: ShownMovement, nowMs: number): void {
  const atMs = Date.parse((row ?? order)?.createdAt ?? '')
  if (!(nowMs - atMs < LEAST_AGE_MS)) return
  const from = new Date(atMs + LEAST_AGE_MS).toISOString()
  throw new Refused(
    `${id} was made less than ${LEAST_AGE_MS / 60_000} minutes ago, and its own intent may not be listed yet: say it again from ${from} on`,
  )
}

function questionOf({ id, row }: ShownMovement, waiting: readonly string[]): string {
  const what =
    row === undefined
      ? `order ${printable(id)}`
      : `withdrawal ${printable(id)} of ${row.total} ${row.assetSymbol ?? ''}`
  const doubt = waiting.length === 0 ? '' : `, though it may be the movement of ${waiting.map(printable).join(', ')}`
  return `declare ${what.trimEnd()} to be others' business, for good${doubt}?`
}
