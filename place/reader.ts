// Gives an operation or a page of the console the journal, the service, and the data that every page shows. It uses the
// flags of its caller and the connection of the commands. Reads only.

import type { Halt } from '../core/journal/halts.ts'
import type { OperationContext } from './context.ts'
import type { NamedJournal, PlacedJournal } from './journal/journal-parts.ts'
import { type JournalConnection, withJournalConnection } from './journal-connection.ts'
import type { ConnectionFlags } from './next-step.ts'
import { withJournalService } from './place-service.ts'
import { serviceFailure } from './service/service-failure.ts'

export interface Reader {
  readonly flags: ConnectionFlags
  readonly context: OperationContext
}

export interface Everywhere {
  readonly halts: readonly Halt[]
  /** The place of the journal, in words. */
  readonly journal: string
  /** The service where money moves. */
  readonly service: string
  readonly stage: string
}

/**
 * Returns the result of `work` at the journal, with the data that every page shows.
 * @throws OperationError, as the commands do
 */
export function atJournal<Data>(
  { flags, context }: Reader,
  work: (connection: JournalConnection) => Promise<Data>,
): Promise<Data & Everywhere> {
  return withJournalConnection(flags, context, async (connection) => ({
    ...(await work(connection)),
    ...everywhereOf(connection),
    halts: await connection.haltsInForce(),
  }))
}

/** The data that every page shows. Undefined where the journal cannot be read: a page about something else is shown all the same. */
export function findEverywhere(reader: Reader): Promise<Everywhere | undefined> {
  return atJournal(reader, async () => ({})).catch(() => undefined)
}

type ServiceWork<Data> = Parameters<typeof withJournalService<Data>>[3]

/** Returns the result of `work` at the service whose movements the journal records, with the key that reads. */
export function atService<Data>(reader: Reader, work: ServiceWork<Data>): Promise<Data & Everywhere> {
  return atJournalAndService(reader, (_connection, ...parts) => work(...parts))
}

/** Returns the result of `work` at the journal and at the service whose movements it records. */
export function atJournalAndService<Data>(
  { flags, context }: Reader,
  work: (connection: JournalConnection, ...parts: Parameters<ServiceWork<Data>>) => Promise<Data>,
): Promise<Data & Everywhere> {
  return withJournalConnection(
    flags,
    context,
    async (connection) => ({
      ...(await withJournalService<Data>(connection, flags, context, (...parts) => work(connection, ...parts)).catch(
        (error: unknown) => Promise.reject(serviceFailure(error)),
      )),
      ...everywhereOf(connection),
      halts: await connection.haltsInForce(),
    }),
    { asksService: true },
  )
}

function everywhereOf({ name, treasury, embedded }: NamedJournal & PlacedJournal): Omit<Everywhere, 'halts'> {
  const { environment } = treasury
  const { stage, url } = treasury.service
  const service = embedded === undefined ? url : (embedded.serviceUrl ?? 'the built-in sandbox')
  const isNamed = embedded === undefined && environment !== undefined
  return { journal: isNamed ? `${name}, environment ${environment}` : name, service, stage }
}
