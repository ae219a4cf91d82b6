// Takes a person's decisions on cases, after consent. `sluice cases foreign` records that a movement on the account is
// somebody else's: who, when and why. It is first compared with the intents in doubt, here at a desk, and on AWS by
// the function DeclareForeign. `cases resolve` settles an intent in doubt, and `cases release` writes off stranded
// balances. They move no money. `cases again` enters executions that stopped in doubt once more.

import { IntentKind } from '../../core/contract/records.ts'
import type { PersonsDecision } from '../../core/journal/journal.ts'
import { type Declared, type Declaring, examineForeign } from '../../core/movements/withdrawal/examine-foreign.ts'
import { printable } from '../../core/printable.ts'
import { type AgainInput, enterCases } from '../../operations/cases/enter-cases.ts'
import { releaseBalances } from '../../operations/cases/release.ts'
import { type ResolutionInput, resolveIntent } from '../../operations/cases/resolve-intent.ts'
import { askDoor } from '../../place/aws/ask-door.ts'
import type { PeopleDoor } from '../../place/aws/people-door.ts'
import type { Consent } from '../../place/consent.ts'
import { readReason, readWho } from '../../place/decider.ts'
import { ExitCode } from '../../place/exit-code.ts'
import { evidenceFailure } from '../../place/journal/journal-failure.ts'
import type { IntentAccess, OpenIntentAccess, PlacedJournal } from '../../place/journal/journal-parts.ts'
import { withJournalConnection } from '../../place/journal-connection.ts'
import { usageError } from '../../place/operation-error.ts'
import { withJournalService } from '../../place/place-service.ts'
import { type ConnectionFlags, commandIn, commandNeedingKeys, commandWith } from '../../place/words/command-line.ts'
import { ENTERED_COLUMNS, viewOfEntered } from '../../views/again-view.ts'
import { viewOfRelease, viewOfResolution } from '../../views/result-view.ts'
import type { ConsentFlags, DecisionFlags } from '../terminal/consent.ts'
import { askingAt, withConsent } from '../terminal/consent-apart.ts'
import type { CommandContext } from '../terminal/context.ts'
import { assertListFlags, type ListFlags, printList } from '../terminal/listing.ts'
import { printView } from '../terminal/print-result-view.ts'
import { createProgress } from '../terminal/progress.ts'

export interface ForeignFlags extends ConnectionFlags, DecisionFlags {
  readonly kind?: string
  /** Ids of intents in doubt that did not make the movement, as the person declares. */
  readonly notOf?: readonly string[]
}

/** @throws OperationError: exit 2 for flags and missing consent, exit 1 where the evidence contradicts the declaration */
export async function foreign(movementId: string, flags: ForeignFlags, context: CommandContext): Promise<ExitCode> {
  const { clock, output, variables } = context
  const auditCommand = commandNeedingKeys('journal audit', flags)
  if (movementId === '') {
    throw usageError('usage', 'movement: expected the id of an order or a withdrawal; got nothing', auditCommand)
  }
  const declaring = { movementId, kind: readKind(flags.kind, auditCommand), notOf: flags.notOf ?? [] }
  const by = readWho(flags, variables)
  const because = readReason(flags.because)
  const decision = { by, because, at: new Date(clock.nowMs()).toISOString() }
  const declare = (consent: Consent) =>
    withJournalConnection(
      flags,
      context,
      async (connection) => {
        try {
          const { door } = connection
          if (door !== undefined) return await declareOnAws(declaring, because, door, consent)
          return await declareAtDesk(declaring, decision, { connection, flags, context, consent })
        } catch (error) {
          throw evidenceFailure(error, flags)
        }
      },
      { asksService: true },
    )
  const { foreign: declared, waiting } = await withConsent(flags, context, declare)
  const record = { movementId, ...(flags.kind && { kind: flags.kind }), foreign: declared }
  if (output.json) output.facts(record)
  else output.data(`${printable(movementId)} is somebody else's`)
  output.next([
    ...waiting.map(
      (intentId) =>
        `${commandWith(`cases resolve ${intentId} --none --because TEXT`, flags)}   # where nothing moved for it`,
    ),
    commandIn('cases list', flags),
  ])
  return ExitCode.Done
}

function declareOnAws(
  { kind, movementId: movement, notOf }: Declaring,
  because: string,
  door: PeopleDoor,
  consent: Consent,
): Promise<Declared> {
  const request = { action: 'foreign', movement, ...(kind && { kind }), because } as const
  return askDoor((agreed) => door.declareForeign({ ...request, notOf: [...notOf], ...agreed }), consent)
}

interface DeskParts {
  readonly connection: PlacedJournal & IntentAccess & OpenIntentAccess
  readonly flags: ForeignFlags
  readonly context: CommandContext
  readonly consent: Consent
}

function declareAtDesk(
  declaring: Declaring,
  decision: PersonsDecision,
  { consent, context, flags, connection }: DeskParts,
): Promise<Declared> {
  const { allOpenIntents, journal } = connection
  return withJournalService(connection, flags, context, async (service) => {
    const ports = { journal, service, openIntents: () => allOpenIntents(), laggingAtMs: undefined }
    const { carryOut, question } = await examineForeign(declaring, ports)
    consent.to(printable(question))
    return carryOut(decision)
  })
}

const KINDS: ReadonlyMap<string, IntentKind> = new Map([
  ['order', IntentKind.Convert],
  ['withdrawal', IntentKind.Withdraw],
])

function readKind(asked: string | undefined, auditCommand: string): IntentKind | undefined {
  if (asked === undefined) return undefined
  const kind = KINDS.get(asked)
  if (kind !== undefined) return kind
  throw usageError(
    'usage',
    '--kind: expected order or withdrawal; got something else',
    `${auditCommand}   # shows which it is`,
  )
}

export interface ReleaseFlags extends ConnectionFlags, DecisionFlags {}

/** @throws OperationError: exit 2 for flags and missing consent, exit 1 where there is nothing to release */
export async function release(policy: string, flags: ReleaseFlags, context: CommandContext): Promise<ExitCode> {
  const released = await releaseBalances(policy, flags, flags, askingAt(flags, context), context)
  printView(viewOfRelease(released), context)
  context.output.next([commandIn('cases list', flags)])
  return ExitCode.Done
}

export interface ResolveFlags extends ConnectionFlags, ConsentFlags, ResolutionInput {}

/** @throws OperationError: exit 2 for flags and missing consent, exit 1 where the evidence contradicts it */
export async function resolve(intentId: string, flags: ResolveFlags, context: CommandContext): Promise<ExitCode> {
  const resolved = await resolveIntent(intentId, flags, flags, askingAt(flags, context), context)
  printView(viewOfResolution(resolved), context)
  context.output.next([commandIn('cases list', flags), 'the same run again gives its result'])
  return ExitCode.Done
}

export interface AgainFlags extends ConnectionFlags, ListFlags, Omit<AgainInput, 'id'> {}

/**
 * Exits with 3 where a case still needs a person, or could not be entered.
 * @throws OperationError
 */
export async function again(id: string | undefined, flags: AgainFlags, context: CommandContext): Promise<ExitCode> {
  const { clock, output } = context
  assertListFlags(flags, output, ENTERED_COLUMNS)
  const progress = createProgress(output, clock)
  const result = await enterCases({ ...flags, id }, flags, progress, context).finally(() => progress.end())
  const { entered, exitCode, inNeed, more } = result
  const { facts, notes } = viewOfEntered(result)
  if (output.json) output.facts(facts)
  else if (entered.length > 0 || flags.csv === true) printList(ENTERED_COLUMNS, entered, flags, context)
  for (const note of notes) output.note(note)
  output.next([...(more > 0 || inNeed > 0 ? [result.again] : []), commandIn('cases list', flags)])
  return exitCode
}
