// StartOnFile: starts the run that pays a payout file of S3, under a name from the object's version. The same version twice is
// one run. Checks the file first, as the command does, and refuses a bad file whole. It can neither plan nor approve. The
// message stays in the queue until the run has its policy, because another run may hold the policy.
import type { Clock } from '../../core/clock.ts'
import { EVENT_VERSION, type FileRefused, MOST_FINDINGS_OF_FILE } from '../../core/contract/events.ts'
import { MOST_ROWS_IN_REQUEST } from '../../core/contract/payouts.ts'
import { RunEnd, type RunRequest } from '../../core/contract/runs.ts'
import { FileOutcome, type FileReport, type ObjectCreated } from '../../core/contract/triggers.ts'
import { Refused } from '../../core/errors.ts'
import type { Pages } from '../../core/journal/pages.ts'
import { machineOf } from '../../core/policies/kinds.ts'
import type { Requesters } from '../../core/runs/approval/requesters.ts'
import { checkLines, type PayoutFinding } from '../../core/runs/payouts/check-lines.ts'
import { PAYOUT_FILE_BYTES, parsePayoutFile, rowOf } from '../../core/runs/payouts/payout-file.ts'
import { mayBeginAgain, RUNNING, type RunRecord } from '../../core/runs/record/run-record.ts'
import { otherRequestText, type Runs } from '../../core/runs/record/runs.ts'
import { policyOfObject } from '../../core/treasury/policy-files.ts'
import { enterAgain } from '../../core/triggers/entries.ts'
import { runNameOfFile, type VersionOfObject } from '../../core/triggers/names.ts'
import { findPolicy, type Policies } from '../../core/triggers/policy-start.ts'
import type { Start, Starter } from '../../core/triggers/starter.ts'

interface StartOnFilePorts {
  readonly policies: Policies
  readonly runs: Pick<Runs, 'find'>
  readonly pages: Pick<Pages, 'keep'>
  readonly requesters: Pick<Requesters, 'record'>
  readonly starter: Starter
  /** Whether keys of this deployment were verified. @throws Transient */
  readonly isVerified: () => Promise<boolean>
  /** Undefined for a version of more bytes, of which nothing is read. @throws Transient, OwnFault */
  readonly readVersion: (version: VersionOfObject, mostBytes: number) => Promise<Uint8Array | undefined>
  /** Tells people that nothing of the file is paid, and why. @throws Transient, OwnFault */
  readonly report: (refused: FileRefused) => Promise<void>
  readonly clock: Pick<Clock, 'nowMs'>
}

/** @throws Transient, OwnFault, Defect; the queue then delivers the message again, and no run starts twice */
export async function startOnFile({ detail }: ObjectCreated, ports: StartOnFilePorts): Promise<FileReport> {
  const { bucket, object } = detail
  const { key, size, 'version-id': versionId } = object
  const policy = policyOfObject(ports.policies, bucket.name, key)
  // A key with a slash at its end is a folder of the console of S3.
  if (policy === undefined || key.endsWith('/')) return { outcome: FileOutcome.NotAwaited }
  // Before the verification nobody has declared the journal either. The file waits in the queue.
  if (!(await ports.isVerified())) return { outcome: FileOutcome.NotVerified, policy }
  const place = { policy, bucket: bucket.name, key, ...(versionId !== undefined && { versionId }) }
  if (versionId === undefined || versionId === 'null') {
    const says = 'expected a bucket that keeps versions, so that nobody changes what is paid; switch versioning on'
    return refuse(place, [{ says: `${says}, and put the file again` }], ports)
  }
  const version = { bucket: bucket.name, key, versionId }
  const name = runNameOfFile(policy, version)
  const known = await ports.runs.find(name)
  if (known !== undefined) return { ...(await lookAfter(known, policy, ports)), policy, execution: name }
  const bytes = size > PAYOUT_FILE_BYTES ? undefined : await ports.readVersion(version, PAYOUT_FILE_BYTES)
  if (bytes === undefined) {
    return refuse(place, [{ says: `expected a file of at most ${PAYOUT_FILE_BYTES} bytes; got more` }], ports)
  }
  const file = parsePayoutFile(bytes)
  const { findings } = checkLines(policy, file)
  if (findings.length > 0) return refuse(place, findings, ports)
  const outcome = await start(name, { policy, rows: file.rows.map(rowOf), place: placeText(version) }, ports)
  return { outcome, policy, execution: name }
}

interface Asked {
  readonly policy: string
  readonly rows: readonly ReturnType<typeof rowOf>[]
  readonly place: string
}

async function start(name: string, { policy, rows, place }: Asked, ports: StartOnFilePorts): Promise<FileOutcome> {
  // Pages are written before the run that names them.
  const given = rows.length > MOST_ROWS_IN_REQUEST ? { pages: await ports.pages.keep(rows) } : { rows: [...rows] }
  const input: RunRequest = { policy, ...given, trigger: { by: 'file', id: place } }
  const at = new Date(ports.clock.nowMs()).toISOString()
  await ports.requesters.record(name, { kind: 'file', by: place, at }, input)
  const started = await ports.starter.start({ ...startOf(policy, ports), name, input })
  if (started === 'other') throw new Refused(otherRequestText(name))
  // An execution that ended without a record of its run was refused by the plan's step, and its end is announced.
  return started === 'ended' ? FileOutcome.Done : FileOutcome.Started
}

/** Enters a run again that only met another run of its policy. A run that has not taken its policy yet may still meet one. */
async function lookAfter(
  run: RunRecord,
  policy: string,
  ports: StartOnFilePorts,
): Promise<Pick<FileReport, 'outcome'>> {
  const { entry, outcome, phases, request, runId } = run
  if (outcome === RUNNING && phases.length === 0) return { outcome: FileOutcome.Started }
  if (outcome !== RunEnd.AlreadyRunning || !mayBeginAgain(run)) return { outcome: FileOutcome.Done }
  await enterAgain(runId, entry, async (name) => {
    const started = await ports.starter.start({ ...startOf(policy, ports), name, input: request })
    return started === 'started' ? name : 'taken'
  })
  return { outcome: FileOutcome.Started }
}

function startOf(policy: string, { policies }: StartOnFilePorts): Pick<Start, 'stateMachine'> {
  return { stateMachine: machineOf(findPolicy(policies, policy, 'policy')) }
}

async function refuse(
  place: Pick<FileRefused, 'policy' | 'bucket' | 'key' | 'versionId'>,
  findings: readonly PayoutFinding[],
  { clock, report }: StartOnFilePorts,
): Promise<FileReport> {
  await report({
    version: EVENT_VERSION,
    ...place,
    findings: findings
      .slice(0, MOST_FINDINGS_OF_FILE)
      .map(({ line, says }) => ({ ...(line !== undefined && { line }), says: says.slice(0, MOST_LETTERS) })),
    findingsInAll: findings.length,
    at: new Date(clock.nowMs()).toISOString(),
  })
  return { outcome: FileOutcome.Refused, policy: place.policy }
}

/** Maximum characters of a finding, and of the place in the record of a run. */
const MOST_LETTERS = 200

/** For people. The name of the run has the whole key and the version. */
function placeText({ bucket, key }: VersionOfObject): string {
  return `s3://${bucket}/${key}`.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '?').slice(0, MOST_LETTERS)
}
