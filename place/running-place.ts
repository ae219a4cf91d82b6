// Opens a place where executions run, while some work uses it: AWS, the desk of another process, or a desk that this
// process starts.
import type { Clock } from '../core/clock.ts'
import type { KeyRole } from '../core/contract/service-settings.ts'
import { admitService, assertAdmitted } from './account/admit-service.ts'
import { type AwsAddress, deploymentOf } from './aws/aws-address.ts'
import type { NamedService } from './configuration.ts'
import { type EmbeddedSession, type EmbeddedSessionOptions, withEmbeddedSession } from './desk/embedded-session.ts'
import { orInterrupted, untilInterrupted } from './interruption.ts'
import { journalFailure } from './journal/journal-failure.ts'
import type { Place } from './place.ts'
import { findAccountPin } from './state/account-pin.ts'

export interface RunningPlace {
  readonly address: AwsAddress
  /** The desk that this process has started. Absent where another process continues the executions. */
  readonly here?: EmbeddedSession['aws']
  /** A wait by this clock ends when the person interrupts the command. */
  readonly clock: Clock
  /** ISO-8601, service time. Movements of the account before it may be in another journal. */
  readonly newSince?: string | undefined
  /** The control API of the built-in sandbox, where that is the service of a desk. */
  readonly controlUrl?: string | undefined
}

interface RunningNeeds
  extends Pick<EmbeddedSessionOptions, 'command' | 'roles' | 'progress' | 'again' | 'leavesUnfinishedTo'>,
    Partial<Pick<EmbeddedSessionOptions, 'onEvent'>> {
  /** The keys in hand. */
  readonly service: NamedService | undefined
  readonly roles: readonly KeyRole[]
}

/** @throws what `work` throws; OperationError where the place cannot be opened, or the command is interrupted */
export async function atRunningPlace<Result>(
  place: Place,
  { service, onEvent = () => undefined, ...needs }: RunningNeeds,
  work: (running: RunningPlace) => Promise<Result>,
): Promise<Result> {
  const { context, settings } = place
  const { clock } = context
  const { stateDir } = settings
  const treasury = await place.treasury()
  if (place.isAws) {
    const signal = context.catchInterruption()
    const working = work({ address: deploymentOf(treasury), clock: untilInterrupted(clock, signal) })
    return orInterrupted(
      working.catch((error: unknown) => Promise.reject(journalFailure(error))),
      signal,
      needs.again,
      'on AWS',
    )
  }
  const prepare = () => admitService(stateDir, service, clock)
  return withEmbeddedSession(
    { ...settings, ...needs, treasury, service, prepare, onEvent },
    context,
    ({ aws, folder: { newSince }, sandbox }, signal) =>
      work({
        address: aws,
        here: aws,
        clock: untilInterrupted(clock, signal),
        newSince,
        controlUrl: sandbox?.controlUrl,
      }),
    async (desk, signal) => {
      // The desk sends with its own keys, so the keys in hand must belong to the same account.
      if (service !== undefined) await assertAdmitted(stateDir, service, clock)
      const newSince = desk.service === undefined ? undefined : findAccountPin(stateDir)?.newSince
      const controlUrl = desk.sandbox?.controlUrl
      return work({ address: desk, clock: untilInterrupted(clock, signal), newSince, controlUrl })
    },
  )
}
