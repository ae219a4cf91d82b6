// Connects the table of movements to a journal and to the service whose movements it records. Reads only.

import { ExitCode } from '../../../place/exit-code.ts'
import { withJournalConnection } from '../../../place/journal-connection.ts'
import { assertKnownPolicy } from '../../../place/named-policy.ts'
import { withJournalService } from '../../../place/place-service.ts'
import type { Reader } from '../../../place/reader.ts'
import { serviceFailure } from '../../../place/service/service-failure.ts'
import { assertOwnAccount } from '../../journal/own-account.ts'
import type { MovementFilter } from './filter.ts'
import type { MovementRow } from './movement-row.ts'
import { type Unshown, walkMovements } from './walk-movements.ts'

/** Maximum faults that are kept by name. The rest is counted, and each has its row. */
const MOST_NAMED = 1_000

export interface ExportedMovements {
  readonly rows: number
  readonly unshown: readonly Unshown[]
  readonly unshownTotal: number
}

/** Takes rows until the last, or until it needs no more. It waits for its reader, so that memory stays flat. */
export type TakeRows = (rows: AsyncIterable<MovementRow>) => Promise<void>

/** @throws OperationError. Rows that were taken until then are not the whole table. */
export function exportMovements(
  { flags, context }: Reader,
  filter: MovementFilter,
  take: TakeRows,
): Promise<ExportedMovements> {
  return withJournalConnection(
    flags,
    context,
    (connection) =>
      withJournalService(connection, flags, context, async (service) => {
        await assertOwnAccount(connection, service)
        const unshown: Unshown[] = []
        let unshownTotal = 0
        let rows = 0
        const onUnshown = (each: Unshown) => {
          unshownTotal += 1
          if (unshown.length < MOST_NAMED) unshown.push(each)
        }
        const { timing } = connection.treasury
        // The service dates movements by its own clock, which may be ahead of this machine's.
        await service.clock.measure()
        const nowMs = Math.max(context.clock.nowMs(), service.clock.nowMs())
        const walked = walkMovements({ journal: connection, service, timing, nowMs, onUnshown }, filter)
        const onNone = async () => {
          const { policy } = filter
          if (policy !== undefined) await assertKnownPolicy(policy, connection, nowMs)
        }
        await take(counting(walked, () => (rows += 1), onNone))
        return { rows, unshown, unshownTotal }
      }).catch((error: unknown) => Promise.reject(serviceFailure(error))),
    { asksService: true },
  )
}

export function exportExitCode({ unshownTotal }: Pick<ExportedMovements, 'unshownTotal'>): ExitCode {
  return unshownTotal === 0 ? ExitCode.Done : ExitCode.DoesNotTieOut
}

/** A mistyped policy has no rows, and must not look like one that moved nothing. */
async function* counting<Row>(
  rows: AsyncIterable<Row>,
  count: () => void,
  onNone: () => Promise<void>,
): AsyncGenerator<Row, void> {
  let isNone = true
  for await (const row of rows) {
    isNone = false
    count()
    yield row
  }
  if (isNone) await onNone()
}
