// Opens the journal that a person reads: the journal of a state directory, or the deployed journal on AWS with the
// SDK's default configuration. The same calls work for both. Nothing here starts or resumes an execution unless a
// caller asks for it.

import { tableRequests } from '@sluice/embedded-aws'
import type { Treasury } from '../core/contract/treasury.ts'
import type { Halts } from '../core/journal/halts.ts'
import { deploymentOf } from './aws/aws-address.ts'
import { treasuryFor } from './aws/deployed-configuration.ts'
import type { PeopleDoor } from './aws/people-door.ts'
import { readTreasury } from './configuration.ts'
import type { OperationContext } from './context.ts'
import { type Desk, publishDesk, withdrawDesk } from './desk/desk-file.ts'
import { joinDesk } from './desk/join-desk.ts'
import { openApiExecutions } from './executions/api-executions.ts'
import type { ExecutionAccess, Executions } from './executions/executions.ts'
import { openKeptExecutions } from './executions/kept-executions.ts'
import { ExitCode } from './exit-code.ts'
import { journalFailure } from './journal/journal-failure.ts'
import type {
  AccountAccess,
  ApprovalAccess,
  DoorAccess,
  HaltAccess,
  IntentAccess,
  NamedJournal,
  OpenIntentAccess,
  PlacedJournal,
  PolicyAccess,
  RecordAccess,
  RequestAccess,
  RunAccess,
} from './journal/journal-parts.ts'
import { recordsOf } from './journal/journal-records.ts'
import { openKeptJournal } from './journal/kept-journal.ts'
import { lookedTable } from './journal/reads-together.ts'
import { advice, type ConnectionFlags, option } from './next-step.ts'
import { OperationError } from './operation-error.ts'
import type { Service } from './service/built-in-sandbox.ts'
import { parseServiceAddress } from './service/service-address.ts'
import { assertOnlyAws, type Flags, filesOf, Variable } from './settings.ts'
import { findFolder, folderAt, type ServiceFolder, wasUsed } from './state/state-layout.ts'

/** All parts of a connection. A function takes the parts that it uses. */
export interface JournalConnection
  extends Executions,
    ExecutionAccess,
    NamedJournal,
    PlacedJournal,
    IntentAccess,
    OpenIntentAccess,
    RunAccess,
    PolicyAccess,
    HaltAccess,
    ApprovalAccess,
    RequestAccess,
    RecordAccess,
    AccountAccess,
    DoorAccess {}

interface Needs {
  /**
   * Whether the work also reads the service, because two processes must not open the built-in sandbox. Default false.
   */
  readonly asksService?: boolean
  /** False for work that must not wait for a function: with --aws it uses the local file. Default true. */
  readonly needsConfiguration?: boolean
  /** Whether the work only shows requests, so that it may show the running tour of `start`. Default false. */
  readonly showsTour?: boolean
  /** With --aws: writes halts with the caller's own permission, and under the given name. Default false. */
  readonly directly?: boolean
}

/** @throws OperationError: exit 2 for flags or a configuration that do not fit, exit 1 for a directory in use */
export async function withJournalConnection<Result>(
  flags: ConnectionFlags,
  context: OperationContext,
  work: (connection: JournalConnection) => Promise<Result>,
  { asksService = false, needsConfiguration = true, showsTour = false, directly = false }: Needs = {},
): Promise<Result> {
  const { variables } = context
  const { configFile, stateDir } = filesOf(flags, variables)
  const { output } = context
  if (flags.aws === true) assertOnlyAws(flags)
  const treasury = needsConfiguration ? await treasuryFor({ flags, configFile, output }) : readTreasury(configFile)
  const worked =
    flags.aws === true
      ? withAws(treasury, directly, work)
      : withStateDirectory(flags, { stateDir, treasury, asksService, showsTour }, context, work)
  return worked.catch((error: unknown) => Promise.reject(journalFailure(error)))
}

async function withAws<Result>(
  treasury: Treasury,
  directly: boolean,
  work: (connection: JournalConnection) => Promise<Result>,
): Promise<Result> {
  const deployment = deploymentOf(treasury)
  const [{ peopleDoor }, { journalTable }] = await Promise.all([
    import('./aws/people-door.ts'),
    import('./journal/journal-client.ts'),
  ])
  const executions = openApiExecutions(deployment)
  const table = journalTable(deployment)
  try {
    const records = recordsOf(table, treasury)
    const door = peopleDoor(deployment)
    const halts = directly ? records.halts : switchedBy(door, records.halts)
    return await work({
      ...executions,
      ...records,
      ...{ treasury, embedded: undefined, name: 'AWS', halts, door, executions },
    })
  } finally {
    table.client.destroy()
    executions.destroy()
  }
}

function switchedBy({ throwSwitch, resume }: Pick<PeopleDoor, 'throwSwitch' | 'resume'>, halts: Halts): Halts {
  return {
    ...halts,
    halt: ({ scope, because }) => throwSwitch({ action: 'halt', scope, because }),
    async resume({ scope, because }, only) {
      const asked = [...(only ?? (await halts.findOf(scope)))]
      const { by, at, outcome } = await resume({ action: 'resume', scope, because, halts: asked })
      return { by, at, isLifted: outcome === 'RESUMED' }
    },
  }
}

interface Opened {
  readonly stateDir: string
  readonly treasury: Treasury
  readonly asksService: boolean
  readonly showsTour: boolean
}

async function withStateDirectory<Result>(
  flags: ConnectionFlags,
  { stateDir, treasury, asksService, showsTour }: Opened,
  { clock, output, variables }: OperationContext,
  work: (connection: JournalConnection) => Promise<Result>,
): Promise<Result> {
  const serviceUrl = serviceOf(flags, variables)
  // The lock would be created even in a directory that was named by mistake.
  if (!wasUsed(stateDir) && findFolder(stateDir, serviceUrl) === undefined) throw noRuns(stateDir, serviceUrl)
  const onWait = (pid: number) => output.note(`waiting: ${stateDir} is in use by process ${pid}`)
  const inDirectory = (folder: ServiceFolder, sandbox?: Service) => ({
    treasury,
    embedded: { stateDir, folder, serviceUrl, sandbox },
    name: stateDir,
  })
  const asksSandbox = asksService && serviceUrl === undefined
  // If the directory has its own records, they are shown: the tour's list would hide them.
  const mayShowTour = showsTour && findFolder(stateDir, serviceUrl) === undefined
  const showTour = (desk: Desk, { configFile, folder: name }: NonNullable<Desk['tour']>) => {
    output.note(
      advice`shows the tour of ${{ do: 'tour' }} (process ${desk.holder.pid}), which keeps nothing: each tour starts from nothing`,
    )
    const folder = folderAt(stateDir, name)
    // The tour has its own policies, whatever treasury.json says.
    const toured = readTreasury(configFile)
    return withRecordsOf(desk, folder, toured, (records) =>
      work({ ...records, ...inDirectory(folder, desk.sandbox), treasury: toured }),
    )
  }
  return joinDesk(
    {
      stateDir,
      clock,
      onWait,
      onRepaired: output.note,
      onOtherRelease: output.note,
      need: { service: serviceUrl, showsTour: mayShowTour, ...(asksSandbox && { sandbox: true }) },
    },
    {
      asClient: (desk) => {
        if (desk.tour !== undefined) return showTour(desk, desk.tour)
        const folder = findFolder(stateDir, serviceUrl)
        if (folder === undefined) throw noRuns(stateDir, serviceUrl)
        return withRecordsOf(desk, folder, treasury, (records) =>
          work({ ...records, ...inDirectory(folder, desk.sandbox) }),
        )
      },
      asHolder: async () => {
        const folder = findFolder(stateDir, serviceUrl)
        const local = folder && (await openKeptJournal(folder.awsDir))
        if (folder === undefined || local === undefined) throw noRuns(stateDir, serviceUrl)
        const { credentials, endpointUrl, region } = local
        const offer = { command: 'look', endpointUrl, region, credentials: { ...credentials } }
        publishDesk(stateDir, { ...offer, ...(serviceUrl !== undefined && { service: serviceUrl }) })
        const table = lookedTable(local.perform, local)
        try {
          const executions = openKeptExecutions(folder.awsDir)
          return await work({ ...executions, ...recordsOf(table, treasury), ...inDirectory(folder), executions })
        } finally {
          withdrawDesk(stateDir)
          table.client.destroy()
          await local.stop()
        }
      },
    },
  )
}

/** The records of a desk of another process. */
async function withRecordsOf<Result>(
  desk: Desk,
  { awsDir }: ServiceFolder,
  treasury: Treasury,
  work: (records: ReturnType<typeof recordsOf> & Executions & ExecutionAccess) => Promise<Result>,
): Promise<Result> {
  const { perform, close } = tableRequests(desk)
  const table = lookedTable(perform, desk, close)
  // Where no execution runs, nobody writes their files.
  const isRunning = desk.machines !== undefined || desk.tour !== undefined
  const api = isRunning ? openApiExecutions(desk) : undefined
  const executions = api ?? openKeptExecutions(awsDir)
  try {
    return await work({ ...executions, ...recordsOf(table, treasury), executions })
  } finally {
    table.client.destroy()
    api?.destroy()
  }
}

/** Address of the named service; absent for the built-in sandbox. @throws OperationError (exit 2) */
export function serviceOf(flags: Flags, variables: OperationContext['variables']): string | undefined {
  if (flags.service !== undefined) return parseServiceAddress(flags.service, option('service'))
  const variable = variables[Variable.service]
  return variable ? parseServiceAddress(variable, Variable.service) : undefined
}

export function noRuns(stateDir: string, serviceUrl: string | undefined) {
  const whose = serviceUrl === undefined ? 'the built-in sandbox' : serviceUrl
  return new OperationError({
    exitCode: ExitCode.Usage,
    code: 'no_runs',
    message: advice`${option('state')}: ${stateDir} keeps no runs against ${whose}`,
    next: advice`name the state directory with ${option('state')} DIR and the service with ${option('service')} URL, or add ${option('aws')}`,
  })
}
