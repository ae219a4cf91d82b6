// Runs the commands of the test in a real account: those of a user, and the AWS CLI for what only an operator does.
// Answers are parsed here, and judged in steps/.
import { type Setup, sinceTime } from './setup.ts'

export interface Command {
  readonly program: 'aws' | 'npm' | 'npx'
  readonly args: readonly string[]
  /** Variables in addition to those of this process. */
  readonly variables?: Readonly<Record<string, string>>
  readonly mostMinutes: number
}

export interface Finished {
  /** 124 if it took too long. */
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/** Everything outside this process. */
export interface World {
  run(command: Command): Promise<Finished>
  pause(seconds: number): Promise<void>
  now(): Date
  tell(line: string): void
}

/** CloudFormation deploys four stacks, one after another. */
const DEPLOY_MINUTES = 60
/** Longer than a run with doubts and fences. */
const RUN_MINUTES = 30
const LOOK_MINUTES = 5

const sluice = (...args: string[]): Command => ({ program: 'npx', args: ['sluice', ...args], mostMinutes: RUN_MINUTES })
const deploying = (...args: string[]): Command => ({ ...sluice(...args), mostMinutes: DEPLOY_MINUTES })
const aws = (...args: string[]): Command => ({
  program: 'aws',
  args: [...args, '--output', 'json', '--no-cli-pager'],
  mostMinutes: LOOK_MINUTES,
})

type Which = 'first' | 'updated' | 'ownRole'

/** The commands as a person would type them. */
export function userCommands({ files, request }: Setup) {
  return {
    doctorBeforeDeploy: sluice('setup', 'doctor', '--aws', '--before-deploy', '--config', files.first),
    deploy: (which: Which, isFirst = false) =>
      deploying(
        ...['deploy', '--config', files[which], '--yes', ...(isFirst ? ['--first'] : [])],
        ...['--', '--require-approval', 'never'],
      ),
    verifyDeployed: (which: Which) => deploying('setup', 'doctor', '--aws', '--after-deploy', '--config', files[which]),
    diff: (which: Which) => sluice('setup', 'diff', '--aws', '--json', '--config', files[which]),
    convert: (id: string, which: Which) =>
      sluice('run', 'convert', files.request, '--id', id, '--aws', '--json', '--config', files[which]),
    halt: sluice('halt', '--aws', '--json', '--because', 'the test of a real account', '--config', files.first),
    resume: sluice('resume', '--aws', '--json', '--because', 'the test of a real account', '--config', files.first),
    reconcile: (since: string) =>
      sluice('journal', 'audit', '--aws', '--json', '--since', since, '--config', files.first),
    destroyStacks: {
      program: 'npx',
      args: ['cdk', 'destroy', '--all', '--force'],
      variables: { SLUICE_CONFIG: files.first },
      mostMinutes: DEPLOY_MINUTES,
    } satisfies Command,
    orders: (setup: Setup) =>
      sluice(
        ...['service', 'orders', '--json', '--service', setup.treasury.service.url, '--keys', files.keys],
        ...['--config', files.first, '--start-date', sinceTime(setup)],
        ...['--base-asset', request.baseAsset, '--quote-asset', request.quoteAsset],
      ),
  }
}

export function operatorCommands(setup: Setup) {
  const { files, names } = setup
  const secretValue = ['--secret-string', `file://${files.keys}`]
  return {
    version: { program: 'aws', args: ['--version'], mostMinutes: LOOK_MINUTES } satisfies Command,
    whoAmI: aws('sts', 'get-caller-identity'),
    describeTable: aws('dynamodb', 'describe-table', '--table-name', names.table),
    createSecret: (name: string) => aws('secretsmanager', 'create-secret', '--name', name, ...secretValue),
    putSecret: (name: string) => aws('secretsmanager', 'put-secret-value', '--secret-id', name, ...secretValue),
    deleteSecret: (name: string) =>
      aws('secretsmanager', 'delete-secret', '--secret-id', name, '--force-delete-without-recovery'),
    startConversion: (name: string, input: string) =>
      aws(
        ...['stepfunctions', 'start-execution', '--state-machine-arn', names.convertMachineArn],
        ...['--name', name, '--input', input],
      ),
    describeExecution: (executionArn: string) =>
      aws('stepfunctions', 'describe-execution', '--execution-arn', executionArn),
    history: (executionArn: string) =>
      aws('stepfunctions', 'get-execution-history', '--execution-arn', executionArn, '--max-items', '2000'),
    unprotectStack: aws(
      ...['cloudformation', 'update-termination-protection', '--no-enable-termination-protection'],
      ...['--stack-name', names.stateStack],
    ),
    unprotectTable: aws(
      ...['dynamodb', 'update-table', '--table-name', names.table],
      '--no-deletion-protection-enabled',
    ),
    deleteTable: aws('dynamodb', 'delete-table', '--table-name', names.table),
    waitForNoTable: aws('dynamodb', 'wait', 'table-not-exists', '--table-name', names.table),
    getHomeRole: aws('iam', 'get-role', '--role-name', names.homeRole),
    ...onlyAwsCommands(setup),
  }
}

const DENIAL = 'sluice-test-aws'
const policyText = (statement: object) => JSON.stringify({ Version: '2012-10-17', Statement: [statement] })

/** Commands of the steps whose answers only AWS can give (steps/only-aws.ts). */
function onlyAwsCommands(setup: Setup) {
  const { names, place } = setup
  const ofFunction = ['--function-name', names.auditFunction]
  const ofRole = ['--role-name', names.testRole]
  const ofVault = ['--backup-vault-name', names.vault]
  const admin = ['--policy-arn', `${names.testRoleArn.replace(/\d{12}:role.*$/, 'aws')}:policy/AdministratorAccess`]
  const trust = {
    ...{ Effect: 'Allow', Action: 'sts:AssumeRole' },
    Principal: { Service: ['cloudformation.amazonaws.com', 'backup.amazonaws.com'] },
  }
  const wait = (command: Command): Command => ({ ...command, mostMinutes: DEPLOY_MINUTES })
  return {
    auditFunction: aws('lambda', 'get-function-configuration', ...ofFunction),
    publishAudit: aws('lambda', 'publish-version', ...ofFunction),
    invoke: (called: string) =>
      aws(
        ...['lambda', 'invoke', '--function-name', called, '--payload', '{}'],
        ...['--cli-binary-format', 'raw-in-base64-out', '/dev/null'],
      ),
    deny: (role: string, functionArn: string) => {
      const Condition = { ArnLike: { 'lambda:SourceFunctionArn': functionArn } }
      const text = policyText({ Effect: 'Deny', Action: 'dynamodb:*', Resource: '*', Condition })
      return aws('iam', 'put-role-policy', '--role-name', role, '--policy-name', DENIAL, '--policy-document', text)
    },
    endDeny: (role: string) => aws('iam', 'delete-role-policy', '--role-name', role, '--policy-name', DENIAL),
    alarmHistory: aws(
      ...['cloudwatch', 'describe-alarm-history', '--alarm-name', names.alarm],
      ...['--history-item-type', 'StateUpdate', '--start-date', sinceTime(setup)],
    ),
    stopExecution: (arn: string) => aws('stepfunctions', 'stop-execution', '--execution-arn', arn),
    redrive: (arn: string) => aws('stepfunctions', 'redrive-execution', '--execution-arn', arn),
    decisionKey: aws('kms', 'describe-key', '--key-id', names.decisionAlias),
    createRole: aws('iam', 'create-role', ...ofRole, '--assume-role-policy-document', policyText(trust)),
    attachRole: aws('iam', 'attach-role-policy', ...ofRole, ...admin),
    detachRole: aws('iam', 'detach-role-policy', ...ofRole, ...admin),
    deleteRole: aws('iam', 'delete-role', ...ofRole),
    stateTemplate: aws('cloudformation', 'get-template', '--stack-name', names.stateStack),
    updateByOwnRole: (file: string) =>
      aws(
        ...['cloudformation', 'update-stack', '--stack-name', names.stateStack, '--template-body', `file://${file}`],
        ...['--role-arn', names.testRoleArn, '--capabilities', 'CAPABILITY_NAMED_IAM'],
      ),
    waitForUpdate: wait(aws('cloudformation', 'wait', 'stack-update-complete', '--stack-name', names.stateStack)),
    backupPlans: aws('backup', 'list-backup-plans'),
    backupSelections: (plan: string) => aws('backup', 'list-backup-selections', '--backup-plan-id', plan),
    startBackup: (role: string, token: string) =>
      aws(
        ...['backup', 'start-backup-job', ...ofVault, '--resource-arn', names.tableArn, '--iam-role-arn', role],
        ...['--idempotency-token', token],
      ),
    backupJob: (id: string) => aws('backup', 'describe-backup-job', '--backup-job-id', id),
    createVault: aws('backup', 'create-backup-vault', ...ofVault, '--region', names.otherRegion),
    startCopy: (point: string, token: string) =>
      aws(
        ...['backup', 'start-copy-job', '--recovery-point-arn', point, '--source-backup-vault-name', names.vault],
        '--destination-backup-vault-arn',
        `${names.tableArn.split(':').slice(0, 2).join(':')}:backup:${names.otherRegion}:${place.account}:backup-vault:${names.vault}`,
        ...['--iam-role-arn', names.testRoleArn, '--idempotency-token', token],
      ),
    copyJob: (id: string) => aws('backup', 'describe-copy-job', '--copy-job-id', id),
    startRestore: (point: string, token: string) =>
      aws(
        ...['backup', 'start-restore-job', '--recovery-point-arn', point, '--iam-role-arn', names.testRoleArn],
        ...['--metadata', JSON.stringify({ targetTableName: names.restored }), '--resource-type', 'DynamoDB'],
        ...['--idempotency-token', token],
      ),
    restoreJob: (id: string) => aws('backup', 'describe-restore-job', '--restore-job-id', id),
    countRestored: aws('dynamodb', 'scan', '--table-name', names.restored, '--select', 'COUNT'),
    deleteRestored: aws('dynamodb', 'delete-table', '--table-name', names.restored),
    recoveryPoints: (region: string) =>
      aws('backup', 'list-recovery-points-by-backup-vault', ...ofVault, '--region', region),
    deletePoint: (region: string, point: string) =>
      aws('backup', 'delete-recovery-point', ...ofVault, '--recovery-point-arn', point, '--region', region),
    deleteVault: (region: string) => aws('backup', 'delete-backup-vault', ...ofVault, '--region', region),
  }
}

/** A text that a person can run again by hand. */
export function commandText({ args, program, variables = {} }: Command): string {
  const quoted = (text: string) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)
  const set = Object.entries(variables).map(([name, value]) => `${name}=${quoted(value)}`)
  return [...set, program, ...args.map(quoted)].join(' ')
}
