// Steps for answers that no double knows: which ARN of a function IAM sees, an alarm by its metric, and a redrive. Others
// deploy by a role of the company's own, and copy and restore a backup.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import * as z from 'zod/mini'
import type { Walk } from '../step.ts'
import { orderIds } from './movements.ts'

const REDRIVEN = 'redriven'
/** IAM takes some seconds. */
const SPREAD_SECONDS = 60
const WAITS = 120
const WAIT_SECONDS = 15

/** Reads again until it is over, for half an hour. */
async function until<T>(walk: Walk, read: () => Promise<T>, isOver: (answer: T) => boolean): Promise<T> {
  let last = await read()
  for (let waited = 0; !isOver(last) && waited < WAITS; waited += 1) {
    await walk.world.pause(WAIT_SECONDS)
    last = await read()
  }
  return last
}

const configuration = z.object({ FunctionArn: z.string(), Role: z.string() })
const version = z.object({ Version: z.string() })
const invoked = z.object({ FunctionError: z.optional(z.string()) })

/** Denies the audit its tables by one form of its ARN at a time, and sees which call is denied. */
export async function seeSourceArn(walk: Walk): Promise<void> {
  const { operator } = walk
  const { FunctionArn, Role } = await walk.read(operator.auditFunction, configuration)
  const role = Role.slice(Role.lastIndexOf('/') + 1)
  const { Version } = await walk.read(operator.publishAudit, version)
  const calls = { unqualified: FunctionArn, qualified: `${FunctionArn}:${Version}` }
  const found: Record<string, string> = { unqualified: 'in no form', qualified: 'in no form' }
  for (const [form, arn] of [
    ['without version', FunctionArn] as const,
    ['with version', `${FunctionArn}:*`] as const,
  ]) {
    await walk.must(operator.deny(role, arn))
    await walk.world.pause(SPREAD_SECONDS)
    for (const [call, called] of Object.entries(calls)) {
      const { FunctionError } = await walk.read(operator.invoke(called), invoked)
      if (FunctionError !== undefined) found[call] = form
    }
  }
  await walk.must(operator.endDeny(role))
  await walk.world.pause(SPREAD_SECONDS)
  walk.see(found)
  walk.note(`IAM sees the ARN of a call: unqualified ${found.unqualified}; qualified ${found.qualified}`)
}

/** Ends a denial that a failed step has left. */
export async function endDenial(walk: Walk): Promise<void> {
  const { exitCode, stderr, stdout } = await walk.try(walk.operator.auditFunction)
  walk.assert(exitCode === 0 || stderr.includes('ResourceNotFound'), 'it is not known whether the audit is denied')
  if (exitCode !== 0) return
  const { Role } = configuration.parse(JSON.parse(stdout))
  await gone(walk, walk.operator.endDeny(Role.slice(Role.lastIndexOf('/') + 1)), /NoSuchEntity/)
}

const alarmHistory = z.object({ AlarmHistoryItems: z.array(z.object({ HistorySummary: z.string() })) })

/** The denied audits wrote a metric by their log line. */
export async function hearAlarm(walk: Walk): Promise<void> {
  const rang = ({ AlarmHistoryItems }: z.infer<typeof alarmHistory>) =>
    AlarmHistoryItems.some(({ HistorySummary }) => HistorySummary.endsWith('to ALARM'))
  const last = await until(walk, () => walk.read(walk.operator.alarmHistory, alarmHistory), rang)
  walk.assert(rang(last), `${walk.setup.names.alarm} has not rung by its metric`)
  walk.see({ alarm: 'rang by its metric' })
}

const described = z.object({ status: z.string(), redriveCount: z.optional(z.int()), output: z.optional(z.string()) })

/** Stops an execution while a halt holds it, and lets AWS redrive it. */
export async function redriveOne(walk: Walk): Promise<void> {
  const { operator, setup, user } = walk
  const name = walk.idOf(REDRIVEN)
  const arn = `${setup.names.convertMachineArn.replace(':stateMachine:', ':execution:')}:${name}`
  const read = () => walk.read(operator.describeExecution(arn), described)
  const there = await walk.try(operator.describeExecution(arn))
  if (there.exitCode !== 0) {
    walk.assert(there.stderr.includes('ExecutionDoesNotExist'), `it is not known whether ${name} is there`)
    await walk.must(user.halt)
    await walk.must(operator.startConversion(name, JSON.stringify(setup.request)))
  }
  const begun = await read()
  if (begun.status === 'RUNNING' && !begun.redriveCount) await walk.must(operator.stopExecution(arn))
  await walk.must(user.resume)
  const stopped = await read()
  if (stopped.status === 'ABORTED') await walk.must(operator.redrive(arn))
  const last = await until(walk, read, ({ status }) => status !== 'RUNNING')
  const [, orderId = 'none'] = last.output?.match(/"orderId"\s*:\s*"([^"]+)"/) ?? []
  walk.assert(last.status === 'SUCCEEDED', `the redriven execution is ${last.status}; expected SUCCEEDED`)
  walk.assert((await orderIds(walk)).has(orderId), `the service knows no order ${orderId} of the redriven execution`)
  walk.see({ status: last.status, redrives: last.redriveCount ?? 0 })
}

const template = z.object({ TemplateBody: z.unknown() })

/** CloudFormation changes the journal's policy by a role that only `aws.deployRoles` names. */
export async function deployByOwnRole(walk: Walk): Promise<void> {
  const { operator, setup, user } = walk
  await makeRole(walk)
  await walk.must(user.deploy('ownRole'))
  const { TemplateBody } = await walk.read(operator.stateTemplate, template)
  const text = typeof TemplateBody === 'string' ? TemplateBody : JSON.stringify(TemplateBody)
  const named = `"${setup.names.testRoleArn}"`
  walk.assert(text.includes(named), `the policy of the journal does not name ${named}`)
  const file = path.join(path.dirname(setup.files.updated), 'changed-state.json')
  writeFileSync(file, text.replaceAll(named, `${named},${named.replace(/"$/, '-2"')}`))
  const { exitCode, stderr } = await walk.try(operator.updateByOwnRole(file))
  walk.assert(exitCode === 0 || stderr.includes('No updates are to be performed'), `the update was refused: ${stderr}`)
  await walk.must(operator.waitForUpdate)
  walk.see({ policyOfJournal: 'changed by the own role' })
  await walk.must(user.deploy('first'))
}

async function makeRole(walk: Walk): Promise<void> {
  const { exitCode, stderr } = await walk.try(walk.operator.createRole)
  walk.assert(exitCode === 0 || stderr.includes('EntityAlreadyExists'), 'the role of this test could not be made')
  await walk.must(walk.operator.attachRole)
  if (exitCode === 0) await walk.world.pause(SPREAD_SECONDS)
}

const backupJob = z.object({ State: z.string(), RecoveryPointArn: z.optional(z.string()) })
const copyJob = z.object({ CopyJob: z.object({ State: z.string() }) })
const restoreJob = z.object({ Status: z.string() })
const started = (field: string) => z.object({ [field]: z.string() })
const plans = z.object({ BackupPlansList: z.array(z.object({ BackupPlanName: z.string(), BackupPlanId: z.string() })) })
const selections = z.object({ BackupSelectionsList: z.array(z.object({ IamRoleArn: z.string() })) })
const count = z.object({ Count: z.int() })

/** The same token starts one job, however often the step is entered. @returns the recovery point */
async function backUp(walk: Walk): Promise<string> {
  const { operator, setup } = walk
  const { BackupPlansList } = await walk.read(operator.backupPlans, plans)
  const plan = BackupPlansList.find(({ BackupPlanName }) => BackupPlanName === setup.names.vault)
  walk.assert(plan !== undefined, `there is no plan ${setup.names.vault}`)
  const { BackupSelectionsList } = await walk.read(operator.backupSelections(plan.BackupPlanId), selections)
  const role = BackupSelectionsList[0]?.IamRoleArn ?? ''
  const { BackupJobId = '' } = await walk.read(operator.startBackup(role, walk.idOf('backup')), started('BackupJobId'))
  const read = () => walk.read(operator.backupJob(BackupJobId), backupJob)
  const { RecoveryPointArn, State } = await until(walk, read, (job) => ENDS.includes(job.State))
  walk.assert(State === 'COMPLETED' && RecoveryPointArn !== undefined, `the backup is ${State}`)
  return RecoveryPointArn
}
const ENDS = ['COMPLETED', 'FAILED', 'ABORTED', 'EXPIRED', 'PARTIAL']

export async function backUpOnce(walk: Walk): Promise<void> {
  await backUp(walk)
  walk.see({ backup: "COMPLETED by the deployment's role" })
}

export async function copyBackup(walk: Walk): Promise<void> {
  const { operator } = walk
  await makeRole(walk)
  const point = await backUp(walk)
  const { exitCode, stderr } = await walk.try(operator.createVault)
  walk.assert(exitCode === 0 || stderr.includes('AlreadyExists'), 'the vault in the other region could not be made')
  const { CopyJobId = '' } = await walk.read(operator.startCopy(point, walk.idOf('copy')), started('CopyJobId'))
  const read = () => walk.read(operator.copyJob(CopyJobId), copyJob)
  const { CopyJob } = await until(walk, read, (job) => ENDS.includes(job.CopyJob.State))
  walk.assert(CopyJob.State === 'COMPLETED', `the copy is ${CopyJob.State}`)
  walk.see({ copy: CopyJob.State })
}

export async function restoreBackup(walk: Walk): Promise<void> {
  const { operator } = walk
  await makeRole(walk)
  const point = await backUp(walk)
  const { RestoreJobId = '' } = await walk.read(
    operator.startRestore(point, walk.idOf('restore')),
    started('RestoreJobId'),
  )
  const read = () => walk.read(operator.restoreJob(RestoreJobId), restoreJob)
  const { Status } = await until(walk, read, (job) => ENDS.includes(job.Status))
  walk.assert(Status === 'COMPLETED', `the restore is ${Status}`)
  const { Count } = await walk.read(operator.countRestored, count)
  walk.assert(Count > 0, 'the restored table has no records')
  walk.see({ restore: Status })
}

const points = z.object({ RecoveryPoints: z.array(z.object({ RecoveryPointArn: z.string() })) })

/** Deletes what the steps above have made, as far as it exists. */
export async function removeProbes(walk: Walk): Promise<void> {
  const { operator, setup } = walk
  await gone(walk, operator.deleteRestored, /ResourceNotFound/)
  for (const region of [setup.place.region, setup.names.otherRegion]) {
    const listed = await walk.try(operator.recoveryPoints(region))
    if (listed.exitCode !== 0) {
      walk.assert(NO_VAULT.test(listed.stderr), `it is not known what the vault in ${region} holds`)
      continue
    }
    for (const { RecoveryPointArn } of points.parse(JSON.parse(listed.stdout)).RecoveryPoints)
      await gone(walk, operator.deletePoint(region, RecoveryPointArn), /ResourceNotFound/)
    const empty = async () => points.parse(JSON.parse(await walk.must(operator.recoveryPoints(region)))).RecoveryPoints
    await until(walk, empty, (left) => left.length === 0)
    await gone(walk, operator.deleteVault(region), NO_VAULT)
  }
  await gone(walk, operator.detachRole, /NoSuchEntity/)
  await gone(walk, operator.deleteRole, /NoSuchEntity/)
}
/** AWS Backup refuses to tell a vault that is not there from one that is forbidden. */
const NO_VAULT = /ResourceNotFound|AccessDenied/

async function gone(walk: Walk, command: Parameters<Walk['try']>[0], missing: RegExp): Promise<void> {
  const { exitCode, stderr } = await walk.try(command)
  walk.assert(exitCode === 0 || missing.test(stderr), `it could not be deleted: ${command.args.slice(0, 4).join(' ')}`)
}

const alias = z.object({ KeyMetadata: z.object({ KeyId: z.string() }) })

/** The alias of the key of decisions names the same key before and after `change`. */
export async function keepAlias(walk: Walk, change: () => Promise<void>): Promise<void> {
  const read = async () => (await walk.read(walk.operator.decisionKey, alias)).KeyMetadata.KeyId
  const before = await read()
  await change()
  walk.assert((await read()) === before, 'the alias of the key of decisions names another key')
  walk.see({ alias: 'names the same key' })
}
