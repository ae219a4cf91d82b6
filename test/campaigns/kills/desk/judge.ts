// Compares three records of what moved: the output of each command, the service's ledger, and the journal. Each intent
// is one movement or a certified zero in all three.

import { unfinishedExecutions } from '@sluice/embedded-aws'
import { IntentKind, IntentState } from '../../../../core/contract/records.ts'
import { type Intent, isSettled } from '../../../../core/journal/intent.ts'
import { deskTable } from '../../../../place/aws/aws-address.ts'
import { embeddedClient } from '../../../../place/journal/journal-client.ts'
import { scanIntents } from '../../../../place/journal/journal-scan.ts'
import { openKeptJournal } from '../../../../place/journal/kept-journal.ts'
import { findFolder } from '../../../../place/state/state-layout.ts'
import { type BookedMovement, markOfMovement } from './asked-intents.ts'
import type { Campaign, EndedIntent } from './campaign.ts'
import type { DeskWorld } from './world.ts'

export interface Judged {
  readonly movements: number
  readonly zeros: number
}

/** Adds the broken promises to the violations. Nobody serves the directory any more. */
export async function judge({ ended, violations, world }: Campaign): Promise<Judged> {
  const judged = compare(ended, { ...world.oracle(), ...(await readJournal(world)) })
  violations.push(...judged.violations)
  return judged
}

/** The fields of an intent that this judge reads. */
type JudgedIntent = Pick<Intent, 'intentId' | 'kind' | 'state' | 'ref'>

/** The final records of the service and of the journal. */
export interface Records {
  readonly movements: readonly BookedMovement[]
  readonly invariants: { readonly ok: boolean }
  readonly intents: readonly JudgedIntent[]
  /** Names of executions. */
  readonly unfinished: readonly string[]
}

export function compare(
  ended: readonly EndedIntent[],
  { movements, invariants, intents, unfinished }: Records,
): Judged & { readonly violations: readonly string[] } {
  const byMark = Map.groupBy(movements, markOfMovement)
  const known = new Map(intents.map((intent) => [intent.intentId, intent]))
  const judged = ended.map((one) => judgeIntent(one, byMark.get(one.asked.mark) ?? [], known.get(one.asked.intentId)))
  const asked = new Set(ended.flatMap(({ asked: { mark, intentId } }) => [mark, intentId]))
  const done = intents.filter(({ state }) => state === IntentState.Done).length
  const violations = [
    ...judged.flatMap(({ broken }) => broken),
    ...twice(movements.map(keyOf)).map((key) => `the service has ${key} twice`),
    ...[...byMark]
      .filter(([mark]) => !asked.has(mark))
      .map(([mark, of]) => `nobody asked for ${of.map(keyOf)} (${mark})`),
    ...intents
      .filter(({ intentId }) => !asked.has(intentId))
      .map(({ intentId }) => `the journal has ${intentId}, which nobody asked for`),
    ...(done === movements.length ? [] : [`the journal has ${done} movements, and the ledger ${movements.length}`]),
    ...unfinished.map((name) => `execution ${name} is not at its end`),
    ...(invariants.ok ? [] : ['the ledger does not balance']),
  ]
  return { movements: movements.length, zeros: judged.filter(({ isZero }) => isZero).length, violations }
}

async function readJournal({ serviceUrl, stateDir }: DeskWorld): Promise<Pick<Records, 'intents' | 'unfinished'>> {
  const folder = findFolder(stateDir, serviceUrl)
  const kept = folder && (await openKeptJournal(folder.awsDir))
  if (folder === undefined || kept === undefined) throw new Error(`${stateDir} has no journal`)
  const client = embeddedClient(kept)
  try {
    return { intents: await scanIntents(deskTable(client)), unfinished: unfinishedExecutions(folder.awsDir) }
  } finally {
    client.destroy()
    await kept.stop()
  }
}

/** The movement in the result of a command. */
interface ReportedMovement {
  readonly orderId?: string
  readonly withdrawalId?: string
}

function judgeIntent(
  { asked, result }: EndedIntent,
  booked: readonly BookedMovement[],
  intent: JudgedIntent | undefined,
): { readonly broken: readonly string[]; readonly isZero: boolean } {
  const { orderId, withdrawalId } = JSON.parse(result) as ReportedMovement
  const reported = reportedKey(orderId, withdrawalId)
  const inJournal = intent?.state === IntentState.Done ? journalKey(intent) : undefined
  const inLedger = booked.map(keyOf)
  const isOne = reported !== undefined && inJournal === reported && inLedger.length === 1 && inLedger[0] === reported
  // An intent that ended before it was opened is not in the journal.
  const isZero = reported === undefined && inLedger.length === 0 && (intent === undefined || isCertifiedZero(intent))
  const says = `told ${reported ?? 'none'}, in the journal ${inJournal ?? intent?.state ?? 'none'}, in the ledger ${inLedger.join(', ') || 'none'}`
  return { broken: isOne || isZero ? [] : [`${asked.id} (${asked.intentId}): ${says}`], isZero }
}

function isCertifiedZero({ state }: JudgedIntent): boolean {
  return isSettled(state) && state !== IntentState.Done
}

function reportedKey(orderId: string | undefined, withdrawalId: string | undefined): string | undefined {
  if (orderId !== undefined) return `order ${orderId}`
  return withdrawalId === undefined ? undefined : `withdrawal ${withdrawalId}`
}

function journalKey({ kind, ref }: JudgedIntent): string {
  return `${kind === IntentKind.Convert ? 'order' : 'withdrawal'} ${ref}`
}

/** Ids are unique only within their kind. */
const keyOf = ({ kind, id }: BookedMovement): string => `${kind} ${id}`

function twice(keys: readonly string[]): readonly string[] {
  return [...new Set(keys.filter((key, at) => keys.indexOf(key) !== at))]
}
