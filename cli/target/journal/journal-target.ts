// The journal that a person looks into: that of a state directory, or the deployed one on AWS with the SDK's default
// configuration. The same client speaks to both. Nothing here starts or resumes an execution by itself.
import { randomUUID } from 'node:crypto'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { JOURNAL_TABLE } from '../../../core/contract/records.ts'
import type { StateMachine } from '../../../core/contract/states.ts'
import type { Treasury } from '../../../core/contract/treasury.ts'
import { createDynamoStore } from '../../../core/journal/dynamo-store.ts'
import { createHalts, type Halts } from '../../../core/journal/halts.ts'
import type { Intent } from '../../../core/journal/intent.ts'
import { createJournal, type Journal } from '../../../core/journal/journal.ts'
import { findPin, type Pin } from '../../../core/journal/pinned-account.ts'
import { AWS_LIMITS, requestLimits } from '../../../core/keys/aws-limits.ts'
import { createPolicyRecords, type PolicyRecords } from '../../../core/runs/record/policy-record.ts'
import { CommandError, usageError } from '../../terminal/command-error.ts'
import type { TargetFlags } from '../../terminal/command-line.ts'
import type { CommandContext } from '../../terminal/context.ts'
import { ExitCode } from '../../terminal/exit-code.ts'
import { readTreasury } from '../configuration.ts'
import { parseServiceAddress } from '../service/service-address.ts'
import { type Flags, resolveSettings, Variable } from '../settings.ts'
import { openKeptJournal } from '../state/kept-journal.ts'
import { findFolder, type ServiceFolder } from '../state/state-layout.ts'
import { lockState } from '../state/state-lock.ts'
import { type AwsExecutions, awsExecutions, type KnownExecution } from './aws-executions.ts'
import { embeddedClient, type OnMisfit, scanIntents } from './journal-client.ts'
import { journalFailure } from './journal-failure.ts'
import { createRunJournal, type RunJournal } from './run-journal.ts'

export interface JournalTarget {
  readonly treasury: Treasury
  readonly journal: Journal
  readonly halts: Halts
  /** Present where the journal is that of a state directory. */
  readonly embedded: StateDirectory | undefined
  /** In words. */
  readonly name: string
  /** The account that the journal is pinned to, where it is pinned. */
  findPin(): Promise<Pin | undefined>
  /** Runs of policies. */
  readonly runJournal: RunJournal
  /** What policies remember. */
  readonly policyRecords: PolicyRecords
  /** All intents. Throws where there are more than the scan's limit. */
  /** Throws for a record that does not fit, unless `onMisfit` takes it. */
  intents(onMisfit?: OnMisfit): Promise<Intent[]>
  /** The execution of this name; `undefined` where there is none, or where it is not kept any more. */
  findExecution(stateMachine: StateMachine, name: string): Promise<KnownExecution | undefined>
  /** Present on AWS only. With a state directory the embedded AWS starts executions. */
  readonly startExecution?: AwsExecutions['start']
}

/** The state directory that keeps these records. */
export interface StateDirectory {
  readonly stateDir: string
  readonly folder: ServiceFolder
  /** Absent: the built-in sandbox. */
  readonly serviceUrl: string | undefined
}

/** @throws CommandError: exit 2 for flags or a configuration that do not fit, exit 1 for a directory in use */
export async function withJournalTarget<Result>(
  flags: TargetFlags,
  context: CommandContext,
  work: (target: JournalTarget) => Promise<Result>,
): Promise<Result> {
  const { variables } = context
  const { configFile, stateDir } = resolveSettings(
    { ...(flags.config && { config: flags.config }), ...(flags.state && { state: flags.state }) },
    { [Variable.config]: variables[Variable.config], [Variable.state]: variables[Variable.state] },
  )
  const treasury = readTreasury(configFile)
  const worked =
    flags.aws === true
      ? withAws(flags, treasury, work)
      : withStateDirectory(flags, { stateDir, treasury }, context, work)
  return worked.catch((error: unknown) => Promise.reject(journalFailure(error)))
}

async function withAws<Result>(
  flags: TargetFlags,
  treasury: Treasury,
  work: (target: JournalTarget) => Promise<Result>,
): Promise<Result> {
  const stray = flags.state !== undefined ? '--state' : flags.service !== undefined ? '--service' : undefined
  if (stray !== undefined) {
    const message = `${stray}: belongs to a state directory; with --aws the service is the one of treasury.json`
    throw usageError('usage', message, `leave ${stray} or --aws out`)
  }
  const client = new DynamoDBClient(requestLimits(AWS_LIMITS))
  const executions = awsExecutions()
  try {
    const { find: findExecution, start: startExecution } = executions
    const aws = { treasury, embedded: undefined, name: 'AWS', findExecution, startExecution }
    return await work({ ...recordsOf(client), ...aws })
  } finally {
    client.destroy()
    executions.destroy()
  }
}

async function withStateDirectory<Result>(
  flags: TargetFlags,
  { stateDir, treasury }: { readonly stateDir: string; readonly treasury: Treasury },
  { clock, output, variables }: CommandContext,
  work: (target: JournalTarget) => Promise<Result>,
): Promise<Result> {
  const serviceUrl = serviceOf(flags, variables)
  const onWait = (pid: number) => output.note(`waiting: ${stateDir} is in use by process ${pid}`)
  const lock = await lockState({ stateDir, clock, onWait })
  try {
    const folder = findFolder(stateDir, serviceUrl)
    const local = folder && (await openKeptJournal(folder.awsDir))
    if (folder === undefined || local === undefined) throw noRuns(stateDir, serviceUrl)
    const client = embeddedClient(local)
    try {
      return await work({
        ...recordsOf(client),
        treasury,
        embedded: { stateDir, folder, serviceUrl },
        name: stateDir,
        findExecution: async (stateMachine, name) => local.findExecution(stateMachine, name),
      })
    } finally {
      client.destroy()
      await local.stop()
    }
  } finally {
    lock.release()
  }
}

function recordsOf(
  client: DynamoDBClient,
): Pick<JournalTarget, 'journal' | 'halts' | 'intents' | 'findPin' | 'runJournal' | 'policyRecords'> {
  const store = createDynamoStore(client, JOURNAL_TABLE)
  return {
    journal: createJournal(store, randomUUID),
    halts: createHalts(store, randomUUID),
    findPin: () => findPin(store),
    intents: (onMisfit) => scanIntents(client, onMisfit),
    runJournal: createRunJournal(client),
    policyRecords: createPolicyRecords(store, randomUUID),
  }
}

function serviceOf(flags: Flags, variables: CommandContext['variables']): string | undefined {
  if (flags.service !== undefined) return parseServiceAddress(flags.service, '--service')
  const variable = variables[Variable.service]
  return variable ? parseServiceAddress(variable, Variable.service) : undefined
}

function noRuns(stateDir: string, serviceUrl: string | undefined) {
  const whose = serviceUrl === undefined ? 'the built-in sandbox' : serviceUrl
  return new CommandError({
    exitCode: ExitCode.Usage,
    code: 'no_runs',
    message: `--state: ${stateDir} keeps no runs against ${whose}`,
    next: 'name the state directory with --state DIR and the service with --service URL, or add --aws',
  })
}
