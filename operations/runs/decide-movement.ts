// A person's decision on one movement that waits by `guards.approval`. Its terms and their hash are noted first; the word is
// recorded for exactly that hash. Nothing is started: the movement waits by itself, and looks again.

import { IntentKind } from '../../core/contract/records.ts'
import { Refused } from '../../core/errors.ts'
import { printable } from '../../core/printable.ts'
import {
  type AskedMovement,
  aloneTermsOfMovement,
  assertDecidable,
  decideMovement,
  findAskedMovement,
  findAwaitingMovement,
} from '../../core/runs/approval/movement-decision.ts'
import { assertHoldsAtDesk } from '../connection/configuration.ts'
import { type JournalConnection, withJournalConnection } from '../connection/journal/journal-connection.ts'
import type { Consent, WithConsent } from '../consent.ts'
import type { OperationContext } from '../context.ts'
import { ExitCode } from '../exit-code.ts'
import { OperationError } from '../operation-error.ts'
import { aloneNote } from '../words/alone-note.ts'
import { type ConnectionFlags, commandIn } from '../words/command-line.ts'
import { readPaidLabels } from './paid-before.ts'
import { termsLines } from './waiting-movements.ts'

/** A person's word on one movement. */
export interface SaidOfMovement {
  readonly kind: IntentKind
  readonly intentId: string
  readonly decision: 'approved' | 'rejected'
  /** Empty with --aws: there it is the identity of the credentials. */
  readonly by: string
  readonly because: string
  /** Decide on these very terms. */
  readonly termsHash?: string | undefined
  readonly flags: ConnectionFlags
}

export interface DecidedMovement extends Recorded {
  readonly intentId: string
  readonly decision: 'approved' | 'rejected'
}

/** The kind of the intent of this id; undefined where a run has it, or nothing does. Of two kinds, the one that waits. */
export async function findKindOf(
  id: string,
  { runJournal, journal, treasury }: JournalConnection,
): Promise<IntentKind | undefined> {
  if ((await runJournal.runs.find(id)) !== undefined) return undefined
  const kinds = Object.values(IntentKind)
  const intents = (await Promise.all(kinds.map((kind) => journal.find(id, kind)))).filter((one) => one !== undefined)
  const waits = intents.find((intent) => findAskedMovement(intent, treasury.guards) !== undefined)
  return (waits ?? intents[0])?.kind
}

/** @throws OperationError; and what `withConsent` throws */
export async function decideOnMovement(
  said: SaidOfMovement,
  withConsent: WithConsent,
  context: OperationContext,
): Promise<DecidedMovement> {
  const { decision, flags, intentId } = said
  const recorded = await withConsent((consent) =>
    withJournalConnection(flags, context, (connection) =>
      record(said, connection, consent, context).catch((error: unknown) => {
        throw error instanceof Refused ? refused(error, said) : error
      }),
    ),
  )
  return { ...recorded, decision, intentId }
}

interface Recorded {
  /** How many other people must approve it. */
  readonly missing: number
  /** Why another person must approve it, where this one alone approved much. */
  readonly why: string | undefined
}

async function record(
  said: SaidOfMovement,
  connection: JournalConnection,
  consent: Consent,
  context: OperationContext,
): Promise<Recorded> {
  const { kind, intentId, decision, by, because, flags } = said
  const { journal, decisions, treasury, door } = connection
  if (flags.aws !== true && decision === 'approved') assertHoldsAtDesk(treasury)
  const ports = { journal, decisions, everywhere: treasury.guards }
  const asked = await findAwaitingMovement(kind, intentId, ports)
  const termsHash = said.termsHash ?? asked.termsHash
  const at = new Date(context.clock.nowMs()).toISOString()
  assertDecidable(asked, { decision, termsHash, at, ...(by !== '' && { by }) })
  const question = `${decision === 'approved' ? 'approve' : 'reject'} terms ${termsHash} of ${kind} ${printable(intentId)}?`
  if (!consent.isGiven(question)) {
    const words = await decisions.findOfMovement(asked)
    const paid = await readPaidLabels([asked], connection, context.clock.nowMs())
    for (const line of termsLines(asked, paid)) context.output.note(line)
    const alone = decision === 'approved' ? aloneTermsOfMovement(asked, words) : undefined
    const findWhy = () => decisions.findWhySecond(...asNamed(asked), { by, at }, alone ?? NOTHING)
    if (alone !== undefined) context.output.note(await aloneNote(alone, by === '' ? undefined : findWhy))
  }
  consent.to(question)
  if (flags.aws === true) {
    if (door === undefined) throw new TypeError('only on AWS is a function asked')
    const answer = await door.decide({ kind, intent: intentId, termsHash, decision, because })
    context.output.note(`recorded as the word of ${printable(answer.by)}`)
    return { missing: answer.missing ?? 0, why: whyIn(answer.approvals) }
  }
  const { missing, words } = await decideMovement({ kind, intentId, termsHash, decision, by, because, at }, ports)
  return { missing, why: whyIn(words) }
}

function whyIn(words: readonly { readonly secondBecause?: string | undefined }[] = []): string | undefined {
  return words.find(({ secondBecause }) => secondBecause !== undefined)?.secondBecause
}

/** How a person's own record names it. */
function asNamed({ kind, intentId, termsHash }: AskedMovement): readonly [string, string] {
  return [`${kind}#${intentId}`, termsHash]
}

const NOTHING = { value: '0', asset: '', twoAbove: '0' }

function refused(error: Refused, { intentId, flags }: SaidOfMovement): OperationError {
  const next = `${commandIn(`movements show ${printable(intentId)}`, flags)}   # as it stands`
  const message = `${error.message}; nothing was recorded`
  return new OperationError({ exitCode: ExitCode.Failed, code: 'refused', message, next }, { cause: error })
}
