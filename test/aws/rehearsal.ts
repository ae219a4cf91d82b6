// Simulates an account for tests. It answers each command as AWS and the service should, or as the test orders, and
// remembers only what the steps read.
import type { Command, Finished, World } from './commands.ts'
import { commandText } from './commands.ts'
import { CHANGED_GUARD, type Setup } from './setup.ts'

/**
 * A replacement of the answer to the first command whose text contains `part`. It applies once, unless it is permanent.
 */
export interface InjectedAnswer {
  readonly part: string
  readonly answer: Partial<Finished> | ((account: Account) => Partial<Finished> | undefined)
  readonly isForEver?: true
  /** Whether the command takes effect all the same. */
  readonly isDone?: true
}

export interface Account {
  deployed: string | undefined
  version: number
  hasTable: boolean
  isProtected: boolean
  isHalted: boolean
  readonly secrets: Set<string>
  /** Orders by the ids of conversions. */
  readonly orders: Map<string, string>
  readonly executions: Map<string, { status: string; readonly version: number; redriveCount: number }>
  /** The form of the audit's ARN that a policy denies. */
  denied: string | undefined
  hasRung: boolean
  hasRole: boolean
  hasRestored: boolean
  /** Recovery points by region, where there is a vault. */
  readonly vaults: Map<string, Set<string>>
}

export interface Rehearsal extends World {
  readonly account: Account
  /** The commands, as text. */
  readonly asked: string[]
  readonly told: string[]
}

export interface RehearsalOptions {
  /** Absent: an empty account. */
  readonly account?: Account
  readonly faults?: readonly InjectedAnswer[]
  readonly tell?: (line: string) => void
}

function newAccount(): Account {
  return {
    ...{ deployed: undefined, version: 0, hasTable: false, isProtected: true, isHalted: false },
    ...{ secrets: new Set(), orders: new Map(), executions: new Map(), vaults: new Map() },
    ...{ denied: undefined, hasRung: false, hasRole: false, hasRestored: false },
  }
}

const NOT_THERE: Partial<Finished> = { exitCode: 254, stderr: 'An error occurred (ResourceNotFoundException)' }
const json = (answer: unknown): Partial<Finished> => ({ stdout: JSON.stringify(answer) })

export function rehearse(setup: Setup, options: RehearsalOptions = {}): Rehearsal {
  const { account = newAccount(), faults = [], tell = () => {} } = options
  const left = [...faults]
  const asked: string[] = []
  const told: string[] = []
  let now = Date.parse('2026-11-22T12:00:00Z')
  return {
    account,
    asked,
    told,
    async run(command) {
      const text = commandText(command)
      asked.push(text)
      const fault = left.find(({ part }) => text.includes(part))
      if (fault !== undefined && fault.isForEver !== true) left.splice(left.indexOf(fault), 1)
      const right = fault === undefined || fault.isDone === true ? answerOf(command, setup, account) : undefined
      const own = typeof fault?.answer === 'function' ? fault.answer(account) : fault?.answer
      return { exitCode: 0, stdout: '', stderr: '', ...(own ?? right ?? answerOf(command, setup, account)) }
    },
    async pause(seconds) {
      now += seconds * 1_000
    },
    now: () => new Date(now),
    tell(line) {
      told.push(line)
      tell(line)
    },
  }
}

function answerOf({ args }: Command, setup: Setup, account: Account): Partial<Finished> {
  const [first = '', second = '', third = ''] = args
  const after = (option: string) => args[args.indexOf(option) + 1] ?? ''
  const isNoun = ['setup', 'service', 'journal'].includes(second)
  switch (isNoun ? `${first} ${second} ${third}` : `${first} ${second}`) {
    case '--version ':
      return { stdout: 'aws-cli/2.31.3 Python/3.13.7 Linux/6.8 exe/x86_64\n' }
    case 'sluice deploy':
      if (account.deployed === undefined && !args.includes('--first'))
        return { exitCode: 1, stderr: '--yes: nothing is deployed yet' }
      Object.assign(account, { deployed: after('--config'), version: account.version + 1, hasTable: true })
      account.vaults.set(setup.place.region, account.vaults.get(setup.place.region) ?? new Set())
      return {}
    case 'cdk destroy':
      account.deployed = undefined
      return {}
    case 'sluice setup diff':
      if (account.deployed === undefined)
        return { exitCode: 8, stderr: 'nothing that reports its configuration is deployed' }
      return json({ changes: account.deployed === after('--config') ? [] : [{ path: CHANGED_GUARD }] })
    case 'sluice run':
      return json({ outcome: 'FILLED', intentId: 'cv-1', orderId: orderOf(after('--id'), account) })
    case 'sluice service orders':
      return json([...account.orders.values()].map((id) => ({ id })))
    case 'sluice halt':
    case 'sluice resume':
      account.isHalted = second === 'halt'
      return json({})
    case 'sluice journal audit':
      return json({ outcome: 'TIES_OUT', orders: account.orders.size, allFrom: '2026-11-22T12:20:00Z' })
    case 'sts get-caller-identity':
      return json({ Account: setup.place.account })
    default:
      return ofAws(second, after, account) ?? onlyAws(second, after, setup, account)
  }
}

/** AWS's IAM, KMS, CloudWatch and Backup, as their pages describe them. */
function onlyAws(
  verb: string,
  after: (option: string) => string,
  { names, place }: Setup,
  account: Account,
): Partial<Finished> {
  const points = account.vaults.get(after('--region') === '' ? place.region : after('--region'))
  const function_ = `arn:aws:lambda:${place.region}:${place.account}:function:${names.auditFunction}`
  switch (verb) {
    case 'get-function-configuration':
      return account.deployed === undefined
        ? NOT_THERE
        : json({ FunctionArn: function_, Role: `arn:aws:iam::1:role/${names.auditFunction}` })
    case 'publish-version':
      return json({ Version: '1' })
    case 'put-role-policy':
      account.denied = after('--policy-document').includes(`${function_}:*`) ? `${function_}:1` : function_
      return {}
    case 'delete-role-policy': {
      const { denied } = account
      account.denied = undefined
      return denied === undefined ? { exitCode: 254, stderr: 'NoSuchEntity' } : {}
    }
    case 'invoke': {
      const isDenied = account.denied === after('--function-name')
      account.hasRung ||= isDenied
      return json({ StatusCode: 200, ...(isDenied && { FunctionError: 'Unhandled' }) })
    }
    case 'describe-alarm-history':
      return json({ AlarmHistoryItems: account.hasRung ? [{ HistorySummary: 'Alarm updated from OK to ALARM' }] : [] })
    case 'describe-key':
      return json({ KeyMetadata: { KeyId: 'key-1' } })
    case 'create-role':
      if (account.hasRole) return { exitCode: 254, stderr: 'EntityAlreadyExists' }
      account.hasRole = true
      return {}
    case 'detach-role-policy':
      return account.hasRole ? {} : { exitCode: 254, stderr: 'NoSuchEntity' }
    case 'delete-role': {
      const { hasRole } = account
      account.hasRole = false
      return hasRole ? {} : { exitCode: 254, stderr: 'NoSuchEntity' }
    }
    case 'get-template':
      return json({ TemplateBody: { Resources: { roles: [names.testRoleArn] } } })
    case 'list-backup-plans':
      return json({ BackupPlansList: [{ BackupPlanName: names.vault, BackupPlanId: 'plan-1' }] })
    case 'list-backup-selections':
      return json({ BackupSelectionsList: [{ IamRoleArn: 'arn:backup' }] })
    case 'start-backup-job':
      points?.add('arn:point')
      return json({ BackupJobId: 'backup-1' })
    case 'describe-backup-job':
      return json({ State: 'COMPLETED', RecoveryPointArn: 'arn:point' })
    case 'create-backup-vault':
      if (points !== undefined) return { exitCode: 254, stderr: 'AlreadyExistsException' }
      account.vaults.set(names.otherRegion, new Set())
      return {}
    case 'start-copy-job':
      account.vaults.get(names.otherRegion)?.add('arn:copy')
      return json({ CopyJobId: 'copy-1' })
    case 'describe-copy-job':
      return json({ CopyJob: { State: 'COMPLETED' } })
    case 'start-restore-job':
      account.hasRestored = true
      return json({ RestoreJobId: 'restore-1' })
    case 'describe-restore-job':
      return json({ Status: 'COMPLETED' })
    case 'scan':
      return json({ Count: 3 })
    case 'list-recovery-points-by-backup-vault':
      return points === undefined
        ? NOT_THERE
        : json({ RecoveryPoints: [...points].map((RecoveryPointArn) => ({ RecoveryPointArn })) })
    case 'delete-recovery-point':
      return points?.delete(after('--recovery-point-arn')) ? {} : NOT_THERE
    case 'delete-backup-vault':
      return account.vaults.delete(after('--region')) ? {} : NOT_THERE
    default:
      return {}
  }
}

function ofAws(verb: string, after: (option: string) => string, account: Account): Partial<Finished> | undefined {
  switch (verb) {
    case 'describe-table': {
      const { hasTable, isProtected } = account
      return hasTable ? json({ Table: { TableStatus: 'ACTIVE', DeletionProtectionEnabled: isProtected } }) : NOT_THERE
    }
    case 'update-table':
      account.isProtected = false
      return {}
    case 'delete-table': {
      if (after('--table-name').endsWith('restored')) {
        const { hasRestored } = account
        account.hasRestored = false
        return hasRestored ? {} : NOT_THERE
      }
      if (account.isProtected) return { exitCode: 254, stderr: 'ValidationException: deletion protection' }
      account.hasTable = false
      return {}
    }
    case 'get-role':
      return account.deployed === undefined ? { exitCode: 254, stderr: 'NoSuchEntity' } : {}
    case 'create-secret':
      if (account.secrets.has(after('--name'))) return { exitCode: 254, stderr: 'ResourceExistsException' }
      account.secrets.add(after('--name'))
      return {}
    case 'delete-secret':
      return account.secrets.delete(after('--secret-id')) ? {} : NOT_THERE
    case 'start-execution': {
      const known = account.executions.get(after('--name'))
      if (known !== undefined && known.status !== 'RUNNING') return { exitCode: 254, stderr: 'ExecutionAlreadyExists' }
      const begun = { status: 'RUNNING', version: account.version, redriveCount: 0 }
      account.executions.set(after('--name'), known ?? begun)
      return json({ executionArn: 'arn:held' })
    }
    case 'stop-execution':
    case 'redrive-execution':
    case 'describe-execution':
    case 'get-execution-history':
      return ofExecution(verb, after('--execution-arn').split(':').at(-1) ?? '', account)
    default:
      return undefined
  }
}

function ofExecution(verb: string, name: string, account: Account): Partial<Finished> {
  const execution = account.executions.get(name)
  if (execution === undefined) return { exitCode: 254, stderr: 'ExecutionDoesNotExist' }
  const { redriveCount, version } = execution
  switch (verb) {
    case 'stop-execution':
      execution.status = 'ABORTED'
      return {}
    case 'redrive-execution':
      Object.assign(execution, { status: 'RUNNING', redriveCount: redriveCount + 1 })
      return {}
    case 'get-execution-history':
      return { stdout: `"arn:aws:lambda:eu-west-1:1:function:it-sluice-order:${version}"` }
    default:
      if (execution.status === 'RUNNING' && !account.isHalted) execution.status = 'SUCCEEDED'
      if (execution.status !== 'SUCCEEDED') return json({ status: execution.status, redriveCount })
      return json({ status: 'SUCCEEDED', redriveCount, output: `{"orderId":"${orderOf(name, account)}"}` })
  }
}

/** The same id has the same order, as in the journal. */
function orderOf(id: string, { orders }: Account): string {
  const known = orders.get(id) ?? `order-${orders.size + 1}`
  orders.set(id, known)
  return known
}
