// `sluice approve` and `sluice reject` of one movement that waits by `guards.approval`. Its terms and their hash are shown
// first; the word is recorded for exactly that hash. Nothing is started: the movement waits by itself, and looks again.

import { IntentKind } from '../../core/contract/records.ts'
import { Refused } from '../../core/errors.ts'
import { printable, printableJson } from '../../core/printable.ts'
import {
  type AskedMovement,
  aloneTermsOfMovement,
  assertDecidable,
  decideMovement,
  findAskedMovement,
  findAwaitingMovement,
} from '../../core/runs/approval/movement-decision.ts'
import { assertHoldsAtDesk } from '../../operations/connection/configuration.ts'
import { type JournalTarget, withJournalTarget } from '../../operations/connection/journal/journal-target.ts'
import type { Consent } from '../../operations/consent.ts'
import { ExitCode } from '../../operations/exit-code.ts'
import { OperationError } from '../../operations/operation-error.ts'
import { termsLines } from '../../operations/runs/waiting-movements.ts'
import { aloneNote } from '../../operations/words/alone-note.ts'
import { commandIn, type TargetFlags } from '../../operations/words/command-line.ts'
import type { DecisionFlags } from '../terminal/consent.ts'
import { withConsent } from '../terminal/consent-apart.ts'
import type { CommandContext } from '../terminal/context.ts'

/** A person's word on one movement. */
export interface SaidOfMovement {
  readonly kind: IntentKind
  readonly intentId: string
  readonly decision: 'approved' | 'rejected'
  /** Empty with --aws: there it is the identity of the credentials. */
  readonly by: string
  readonly because: string
  readonly flags: TargetFlags & DecisionFlags & { readonly termsHash?: string }
}

/** The kind of the intent of this id; undefined where a run has it, or nothing does. Of two kinds, the one that waits. */
export async function findKindOf(
  id: string,
  { runJournal, journal, treasury }: JournalTarget,
): Promise<IntentKind | undefined> {
  if ((await runJournal.runs.find(id)) !== undefined) return undefined
  const kinds = Object.values(IntentKind)
  const intents = (await Promise.all(kinds.map((kind) => journal.find(id, kind)))).filter((one) => one !== undefined)
  const waits = intents.find((intent) => findAskedMovement(intent, treasury.guards) !== undefined)
  return (waits ?? intents[0])?.kind
}

/** Exits with 0 once it is decided, and with 4 while another person must approve it. @throws OperationError */
export async function decideOnMovement(said: SaidOfMovement, context: CommandContext): Promise<ExitCode> {
  const { intentId, flags } = said
  const { output } = context
  const { missing, why } = await withConsent(flags, context, (consent) =>
    withJournalTarget(flags, context, (target) =>
      record(said, target, consent, context).catch((error: unknown) => {
        throw error instanceof Refused ? refused(error, said) : error
      }),
    ),
  )
  const decided = missing > 0 ? 'waits' : said.decision
  const reason = why === undefined ? '' : `${why}; `
  const people = missing === 1 ? 'another person' : `${missing} other people`
  const text = missing > 0 ? `${intentId} waits: ${reason}${people} must approve it` : `${intentId} is ${said.decision}`
  output.data(output.json ? printableJson({ intentId, decision: decided, missing, why }) : text)
  if (missing === 0) output.note('the movement looks again by itself, after 15 s to 5 min')
  output.next([commandIn(`show ${printable(intentId)}`, flags)])
  return missing > 0 ? ExitCode.AwaitsApproval : ExitCode.Done
}

interface Recorded {
  readonly missing: number
  /** Why another person must approve it, where this one alone approved much. */
  readonly why: string | undefined
}

async function record(
  said: SaidOfMovement,
  target: JournalTarget,
  consent: Consent,
  context: CommandContext,
): Promise<Recorded> {
  const { kind, intentId, decision, by, because, flags } = said
  const { journal, decisions, treasury, door } = target
  if (flags.aws !== true && decision === 'approved') assertHoldsAtDesk(treasury)
  const ports = { journal, decisions, everywhere: treasury.guards }
  const asked = await findAwaitingMovement(kind, intentId, ports)
  const termsHash = flags.termsHash ?? asked.termsHash
  const at = new Date(context.clock.nowMs()).toISOString()
  assertDecidable(asked, { decision, termsHash, at, ...(by !== '' && { by }) })
  const question = `${decision === 'approved' ? 'approve' : 'reject'} terms ${termsHash} of ${kind} ${printable(intentId)}?`
  if (!consent.isGiven(question)) {
    const words = await decisions.findOfMovement(asked)
    for (const line of termsLines(asked)) context.output.note(line)
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
  const next = `${commandIn(`show ${printable(intentId)}`, flags)}   # as it stands`
  const message = `${error.message}; nothing was recorded`
  return new OperationError({ exitCode: ExitCode.Failed, code: 'refused', message, next }, { cause: error })
}
