// Reads executions and records, and says for each intent and run what is wrong with its record and what a rebuild
// writes. It reads executions newest first, a part at a time. After a cut-off it says how to continue. Changes nothing.
import { randomUUID } from 'node:crypto'
import { findOtherMovement } from '../../core/audit/judge-movement.ts'
import { mapBounded, READS_AT_ONCE } from '../../core/bounded.ts'
import { entryName, executionName, intentIdOf, MOST_ENTRIES } from '../../core/contract/fields.ts'
import { IntentKind, IntentState, recordKey } from '../../core/contract/records.ts'
import { StateMachine } from '../../core/contract/states.ts'
import { Defect } from '../../core/errors.ts'
import type { Intent } from '../../core/journal/intent.ts'
import { findReadable, type OnMisfit, readable } from '../../core/journal/listed-records.ts'
import { judgeChain } from '../../core/journal/record-chain.ts'
import { findUnproven } from '../../core/movements/follows.ts'
import { createConfigurationLog } from '../../core/people/configurations.ts'
import { machineOf } from '../../core/policies/kinds.ts'
import { createUnapprovedFinder } from '../../core/runs/approval/audited-approval.ts'
import { createPaidTwiceFinder } from '../../core/runs/plan/payments.ts'
import type { RunRecord } from '../../core/runs/record/run-record.ts'
import type { OrderState, WithdrawalState } from '../../core/service/ports.ts'
import type { ServiceClient } from '../../core/service/service-client.ts'
import type { EnteredExecution, ExecutionAccess, Executions } from '../../place/executions/executions.ts'
import type {
  ApprovalAccess,
  ConfiguredJournal,
  IntentAccess,
  OpenIntentAccess,
  RecordAccess,
  RunAccess,
} from '../../place/journal/journal-parts.ts'
import { type Evidence, evidenceOf, evidenceOfRecord } from './evidence.ts'
import { type Finding, FindingKind, type Judgement, judge } from './judge.ts'
import { evidenceOfRunRecord, judgeRun, type RunEvidence, type RunJudgement, runEvidenceOf } from './run-evidence.ts'
import { findUnheardIn } from './unheard.ts'

export interface SurveySpan {
  /** Epoch ms: executions that began earlier are not read. */
  readonly sinceMs: number
  /** Epoch ms: executions that began at this time or later are not read. */
  readonly beforeMs: number | undefined
  /**
   * Maximum executions of each state machine. Those of the same moment as the last are added, so that each part is
   * older than the one before.
   */
  readonly limit: number
}

export interface SurveyedIntent extends Judgement {
  readonly evidence: Evidence
  readonly intent: Intent | undefined
}
export interface SurveyedRun extends RunJudgement {
  readonly evidence: RunEvidence
  readonly run: RunRecord | undefined
  readonly stateMachine: StateMachine
}

export interface Survey {
  readonly intents: readonly SurveyedIntent[]
  readonly runs: readonly SurveyedRun[]
  readonly findings: readonly Finding[]
  readonly executions: number
  /** ISO-8601. Where executions were cut off, the survey continues before this time. */
  readonly goOnBefore: string | undefined
}

const KIND_OF: Readonly<Partial<Record<StateMachine, IntentKind>>> = {
  [StateMachine.Convert]: IntentKind.Convert,
  [StateMachine.Withdraw]: IntentKind.Withdraw,
}

type Surveying = ConfiguredJournal &
  IntentAccess &
  RunAccess &
  Pick<OpenIntentAccess, 'allOpenIntents'> &
  ExecutionAccess &
  Pick<RecordAccess, 'store'> &
  Pick<ApprovalAccess, 'decisionKey'>
type Looking = Pick<ServiceClient, 'findOrder' | 'findWithdrawal'>

export async function survey(
  connection: Surveying,
  service: Looking,
  span: SurveySpan,
  isSuspect: boolean,
): Promise<Survey> {
  const findings: Finding[] = []
  const surveyIntent = createIntentSurvey(connection, service, isSuspect, findings)
  const intents: SurveyedIntent[] = []
  const runs: SurveyedRun[] = []
  let executions = 0
  let goOnBefore: string | undefined
  for (const stateMachine of Object.values(StateMachine)) {
    const listed = await listIds(connection.executions, stateMachine, span, findings)
    executions += listed.count
    if (listed.cutOffAt !== undefined && (goOnBefore === undefined || listed.cutOffAt > goOnBefore))
      goOnBefore = listed.cutOffAt
    const kind = KIND_OF[stateMachine]
    // Open records in a suspect table may have continued in executions that began long before.
    const open = isSuspect ? await openEvidence(connection, stateMachine, listed.entries, findings) : NONE_OPEN
    const ids = [...listed.entries, ...[...open.intents.keys(), ...open.runs.keys()].map((id) => [id, 1] as const)]
    await mapBounded(ids, READS_AT_ONCE, async ([id, most]) => {
      const { executions: entered, isWhole } = await readEntries(connection.executions, stateMachine, id, most)
      const isUnseen = entered.length === 0
      if (isUnseen && !isWhole) {
        const message = 'none of its executions can be read, so whether it has moved money is not known'
        findings.push({ finding: FindingKind.Unreadable, about: id, message })
      }
      // Records without a finding are not kept, because there may be a million.
      if (kind === undefined) {
        const evidence = isUnseen ? open.runs.get(id) : runEvidenceOf(id, entered)
        const surveyed = evidence && (await surveyRun(evidence, connection, isSuspect, findings))
        if (surveyed?.finding !== undefined) runs.push({ ...surveyed, stateMachine })
      } else {
        // The record is read after its executions, so it has what they saw unless it was lost.
        const evidence = isUnseen ? open.intents.get(id) : evidenceOf(id, kind, entered, isWhole)
        const surveyed = evidence && (await surveyIntent(evidence))
        if (surveyed?.finding !== undefined) intents.push(surveyed)
      }
    })
  }
  for (const { evidence, finding } of intents) {
    if (finding !== undefined) findings.push({ ...finding, about: recordKey.intent(evidence.kind, evidence.intentId) })
  }
  for (const { evidence, finding } of runs) {
    if (finding !== undefined) findings.push({ ...finding, about: recordKey.run(evidence.runId) })
  }
  return { intents, runs, findings, executions, goOnBefore }
}

/** Returns how an intent is judged by its evidence; that returns undefined for a record that cannot be read. */
function createIntentSurvey(connection: Surveying, service: Looking, isSuspect: boolean, findings: Finding[]) {
  const { decisionKey, journal, store, treasury } = connection
  const configurations = createConfigurationLog(store, randomUUID)
  const rules = { treasury, sinceMs: () => configurations.sinceMs(treasury) }
  const findUnapproved = createUnapprovedFinder(store, rules, decisionKey)
  const findPaidTwice = createPaidTwiceFinder({ ...connection, runs: connection.runJournal.runs, service })
  return async (evidence: Evidence): Promise<SurveyedIntent | undefined> => {
    const { intentId, kind } = evidence
    const shown = await movementsShown(evidence, service)
    const found = await readable(
      async () => {
        const intent = await journal.find(intentId, kind)
        const isDone = intent?.state === IntentState.Done && intent.ref !== undefined
        const holder = isDone ? await journal.findClaim(kind, intent.ref) : undefined
        const movement = intent?.ref === undefined ? undefined : shown.get(intent.ref)
        return {
          intent,
          unproven: intent && findUnproven(intent, holder),
          other: intent && movement && findOtherMovement(movement, intent),
          unapproved: intent && (await findUnapproved(intent)),
          paidTwice: isDone ? await findPaidTwice(intent) : undefined,
        }
      },
      unreadableAt(recordKey.intent(kind, intentId), findings),
    )
    if (found === 'unreadable') return undefined
    const judged = judge({ evidence, shown: { movements: new Set(shown.keys()) }, isSuspect, ...found.read })
    return { evidence, intent: found.read.intent, ...judged }
  }
}

async function surveyRun(
  evidence: RunEvidence,
  { runJournal }: Surveying,
  isSuspect: boolean,
  findings: Finding[],
): Promise<Omit<SurveyedRun, 'stateMachine'> | undefined> {
  const { runId } = evidence
  const found = await readable(() => runJournal.runs.find(runId), unreadableAt(recordKey.run(runId), findings))
  return found === 'unreadable'
    ? undefined
    : { evidence, run: found.read, ...judgeRun(evidence, found.read, isSuspect) }
}

/** An edited or unreadable record must not hide the others, so it becomes a finding. */
function unreadableAt(about: string, findings: Finding[]): OnMisfit {
  return ({ message }) => void findings.push({ finding: FindingKind.Unreadable, about, message })
}

interface OpenEvidence {
  readonly intents: ReadonlyMap<string, Evidence>
  readonly runs: ReadonlyMap<string, RunEvidence>
}

const NONE_OPEN: OpenEvidence = { intents: new Map(), runs: new Map() }

/**
 * The evidence of open records that were not listed, from the record alone. Their executions may be kept elsewhere, as
 * in another region.
 */
async function openEvidence(
  connection: Surveying,
  stateMachine: StateMachine,
  listed: ReadonlyMap<string, number>,
  findings: Finding[],
): Promise<OpenEvidence> {
  const kind = KIND_OF[stateMachine]
  if (kind !== undefined) {
    const open = await connection.allOpenIntents(({ message }) => {
      findings.push({ finding: FindingKind.Unreadable, about: stateMachine, message })
    })
    const others = open.filter((intent) => intent.kind === kind && !listed.has(intent.intentId))
    return { ...NONE_OPEN, intents: new Map(others.map((intent) => [intent.intentId, evidenceOfRecord(intent)])) }
  }
  const open = await connection.runJournal.open((message) => {
    throw new Defect(message)
  })
  const others = open.filter((run) => machineOf(run.asPlanned) === stateMachine && !listed.has(run.runId))
  return { ...NONE_OPEN, runs: new Map(others.map((run) => [run.runId, evidenceOfRunRecord(run)])) }
}

interface Listed {
  /** By intent or run: the highest entry that was seen. */
  readonly entries: ReadonlyMap<string, number>
  readonly count: number
  readonly cutOffAt: string | undefined
}

async function listIds(
  source: Pick<Executions, 'walk' | 'read'>,
  stateMachine: StateMachine,
  { sinceMs, beforeMs, limit }: SurveySpan,
  findings: Finding[],
): Promise<Listed> {
  const entries = new Map<string, number>()
  let count = 0
  let lastMs: number | undefined
  const onDamaged = (message: string) =>
    findings.push({ finding: FindingKind.Unreadable, about: stateMachine, message })
  for await (const { name, startedMs } of source.walk(stateMachine, { onDamaged })) {
    if (startedMs < sinceMs) break
    if (beforeMs !== undefined && startedMs >= beforeMs) continue
    if (count >= limit && lastMs !== undefined && startedMs !== lastMs)
      return { entries, count, cutOffAt: new Date(lastMs).toISOString() }
    count += 1
    lastMs = startedMs
    // No step opens an intent for any other name.
    if (!executionName.safeParse(name).success) continue
    const id = intentIdOf(name)
    const [, entry = '1'] = name.split('_', 2)
    entries.set(id, Math.max(entries.get(id) ?? 1, Number(entry)))
  }
  return { entries, count, cutOffAt: undefined }
}

interface Entered {
  readonly executions: readonly EnteredExecution[]
  /** Whether all of its existing executions could be read. */
  readonly isWhole: boolean
}

/** All entries of an id. Those before the highest listed entry may be older than the span, and one behind it newer. */
async function readEntries(
  source: Pick<Executions, 'walk' | 'read'>,
  stateMachine: StateMachine,
  id: string,
  most: number,
): Promise<Entered> {
  const executions: EnteredExecution[] = []
  let isWhole = true
  for (let entry = 1; entry <= MOST_ENTRIES; entry += 1) {
    const read = await source.read(stateMachine, entryName(id, entry))
    if (typeof read === 'object') executions.push(read)
    else if (read !== undefined) isWhole = false
    else if (entry > most) break
  }
  return { executions, isWhole }
}

async function movementsShown(
  { kind, movements, quoted }: Evidence,
  service: Looking,
): Promise<ReadonlyMap<string, OrderState | WithdrawalState>> {
  const shown = new Map<string, OrderState | WithdrawalState>()
  for (const id of new Set([...movements, ...quoted])) {
    const found = kind === IntentKind.Convert ? await service.findOrder(id) : await service.findWithdrawal(id)
    if (found !== undefined) shown.set(id, found)
  }
  return shown
}

/** Beginnings of the keys of all records. */
export const PREFIXES = [
  'A#',
  'B#',
  'C#',
  'D#',
  'E#',
  'F#',
  'G#',
  'H#',
  'I#',
  'L#',
  'N#',
  'O#',
  'P#',
  'Q#',
  'R#',
  'S#',
  'T#',
  'W#',
  'X#',
  'Y#',
]
/** Parts of a scan, of 100 pages of 1 MB each. */
const MOST_PARTS = 100

interface CheckedRecords {
  readonly records: number
  readonly findings: readonly Finding[]
  /** The key of the last record that was read, where more records follow. */
  readonly goOnAfter?: string
}

/** Checks each record against its own chain, and what it says of people against their signed requests. */
export async function checkRecords(
  connection: Pick<RecordAccess, 'scanPart' | 'store'> & Pick<ApprovalAccess, 'decisionKey'>,
): Promise<CheckedRecords> {
  const { decisionKey, store } = connection
  const findings: Finding[] = []
  let records = 0
  let after: string | undefined
  for (let part = 0; part < MOST_PARTS; part += 1) {
    let cutOffAt: string | undefined
    const onCutOff = (key: string) => {
      cutOffAt = key
    }
    for await (const record of connection.scanPart(PREFIXES, { after, onCutOff })) {
      records += 1
      const judged = judgeChain(record)
      if (judged.is === 'broken')
        findings.push({ finding: FindingKind.Broken, about: record.pk, message: judged.because })
      const onMisfit = ({ message }: Error) =>
        findings.push({ finding: FindingKind.Unreadable, about: record.pk, message })
      const unheard =
        judged.is === 'broken'
          ? undefined
          : await findReadable(() => findUnheardIn(record, store, decisionKey), onMisfit)
      if (unheard !== undefined) findings.push({ finding: FindingKind.Changed, about: record.pk, message: unheard })
    }
    if (cutOffAt === undefined) return { records, findings }
    after = cutOffAt
  }
  return { records, findings, ...(after !== undefined && { goOnAfter: after }) }
}
