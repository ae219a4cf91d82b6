// Chooses where the log is read: on AWS, at the process that serves the state directory, or otherwise in the files. It
// chooses again at each call, because such a process may end and another start. It never takes the lock.

import { statSync } from 'node:fs'
import type { Deployment } from '../../place/aws/aws-address.ts'
import { namedDeployment } from '../../place/aws/deployed-configuration.ts'
import type { OperationContext } from '../../place/context.ts'
import { type Desk, findDesk, isServed } from '../../place/desk/desk-file.ts'
import { askWhetherThere, brokenDesk, silentDesk } from '../../place/desk/desk-silence.ts'
import { isConnectionFailure } from '../../place/desk/join-desk.ts'
import { type ApiExecutions, openApiExecutions } from '../../place/executions/api-executions.ts'
import { openKeptExecutions } from '../../place/executions/kept-executions.ts'
import { noRuns, serviceOf } from '../../place/journal-connection.ts'
import type { ConnectionFlags } from '../../place/next-step.ts'
import { assertOnlyAws, isOnAws, stateDirOf } from '../../place/settings.ts'
import { keepPrivate } from '../../place/state/private-directory.ts'
import { findFolder } from '../../place/state/state-layout.ts'
import { AWS_PACE, DESK_PACE } from '../runs/follow-events.ts'
import type { LogPlace, LogPlaces } from './log-source.ts'

/**
 * ListExecutions shares a rate limit with all callers in the account, and is called for four state machines each time.
 */
const AWS_LIST_MS = 4_000
const DESK_LIST_MS = 500
/** Without a desk, files change only by a command that starts and ends between two checks. */
const FILES_LIST_MS = 2_000
const FILES_PACE = { firstMs: 200, longestMs: 200 }

/** @throws OperationError (exit 2) for flags that do not fit, and for a directory without runs */
export function placesOf(flags: ConnectionFlags, { output, variables }: OperationContext): LogPlaces {
  if (isOnAws(flags)) {
    assertOnlyAws(flags)
    return awsPlaces(namedDeployment(flags, variables))
  }
  const stateDir = stateDirOf(flags.state === undefined ? {} : { state: flags.state }, variables)
  const serviceUrl = serviceOf(flags, variables)
  if (statSync(stateDir, { throwIfNoEntry: false })?.isDirectory() !== true) throw noRuns(stateDir, serviceUrl)
  keepPrivate(stateDir, output.note)
  return directoryPlaces(stateDir, serviceUrl, output.note)
}

function awsPlaces(deployment: Deployment): LogPlaces {
  let source: ApiExecutions | undefined
  const close = () => {
    source?.destroy()
    source = undefined
  }
  return {
    current() {
      source ??= openApiExecutions(deployment)
      return { key: 'AWS', words: 'follows AWS', source, isLive: true, pace: AWS_PACE, listMs: AWS_LIST_MS }
    },
    isPassing: async (error) => isConnectionFailure(error) || (error instanceof Error && PASSING.includes(error.name)),
    failureOf: (error) => error,
    destroy: close,
  }
}

const PASSING = [
  'TimeoutError',
  'ThrottlingException',
  'TooManyRequestsException',
  'ServiceUnavailable',
  'InternalFailure',
]

function directoryPlaces(
  stateDir: string,
  serviceUrl: string | undefined,
  note: OperationContext['output']['note'],
): LogPlaces {
  let open: { readonly desk: Desk; readonly source: ApiExecutions } | undefined
  const close = () => {
    open?.source.destroy()
    open = undefined
  }
  const noted = new Set<string>()
  const onDamaged = (message: string) => {
    if (!noted.has(message)) note(`found: ${message}`)
    noted.add(message)
  }
  return {
    current() {
      const desk = findDesk(stateDir)
      if (desk?.machines === undefined || desk.service !== serviceUrl) {
        close()
        return filesPlace(stateDir, serviceUrl, onDamaged)
      }
      if (open === undefined || open.desk.endpointUrl !== desk.endpointUrl) {
        close()
        open = { desk, source: openApiExecutions(desk) }
      }
      return deskPlace(desk, open.source, stateDir)
    },
    async isPassing(error) {
      const desk = open?.desk
      close()
      if (desk === undefined || !isServed(stateDir, desk)) return desk !== undefined || isConnectionFailure(error)
      const presence = await askWhetherThere(desk)
      if (presence === 'silent' && isServed(stateDir, desk)) throw silentDesk(stateDir, desk, error)
      return presence === 'gone' || isConnectionFailure(error)
    },
    failureOf(error) {
      const desk = findDesk(stateDir)
      return desk !== undefined && isConnectionFailure(error) ? brokenDesk(stateDir, desk, error) : error
    },
    destroy: close,
  }
}

function deskPlace(desk: Desk, source: ApiExecutions, stateDir: string): LogPlace {
  const { command, endpointUrl, holder } = desk
  return {
    key: `${holder.pid} ${endpointUrl}`,
    words: `follows process ${holder.pid} (${command}) in ${stateDir}`,
    source,
    isLive: true,
    pace: DESK_PACE,
    listMs: DESK_LIST_MS,
  }
}

function filesPlace(stateDir: string, serviceUrl: string | undefined, onDamaged: (message: string) => void): LogPlace {
  const folder = findFolder(stateDir, serviceUrl)
  if (folder === undefined) throw noRuns(stateDir, serviceUrl)
  return {
    key: 'files',
    words: `nothing runs in ${stateDir} now; waits for the next serve, run or approve`,
    source: openKeptExecutions(folder.awsDir, onDamaged),
    isLive: false,
    pace: FILES_PACE,
    listMs: FILES_LIST_MS,
  }
}
