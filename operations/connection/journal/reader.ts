// How a page reads: by the target that the commands use, with the flags that the console was started with. Reads only.

import type { Halt } from '../../../core/journal/halts.ts'
import type { OperationContext } from '../../context.ts'
import type { TargetFlags } from '../../words/command-line.ts'
import { serviceFailure } from '../service/service-failure.ts'
import { withJournalService } from './journal-service.ts'
import { type JournalTarget, withJournalTarget } from './journal-target.ts'

export interface Reader {
  readonly flags: TargetFlags
  readonly context: OperationContext
}

/** What each page shows, whatever else it shows. */
export interface Everywhere {
  readonly halts: readonly Halt[]
  /** Whose journal it is, in words. */
  readonly journal: string
  /** Where money moves. */
  readonly service: string
  readonly stage: string
}

/** What `work` reads of the journal, and what each page shows. @throws OperationError, as the commands do */
export function atJournal<Data>(
  { flags, context }: Reader,
  work: (target: JournalTarget) => Promise<Data>,
): Promise<Data & Everywhere> {
  return withJournalTarget(flags, context, async (target) => ({
    ...(await work(target)),
    ...everywhereOf(target),
    halts: await target.haltsInForce(),
  }))
}

type ServiceWork<Data> = Parameters<typeof withJournalService<Data>>[3]

/** The same of the service whose movements the journal records, with the key that reads. */
export function atService<Data>({ flags, context }: Reader, work: ServiceWork<Data>): Promise<Data & Everywhere> {
  return withJournalTarget(
    flags,
    context,
    async (target) => ({
      ...(await withJournalService(target, flags, context, work).catch((error: unknown) =>
        Promise.reject(serviceFailure(error)),
      )),
      ...everywhereOf(target),
      halts: await target.haltsInForce(),
    }),
    { asksService: true },
  )
}

function everywhereOf({ name, treasury, embedded }: JournalTarget): Omit<Everywhere, 'halts'> {
  const { stage, url } = treasury.service
  const service = embedded === undefined ? url : (embedded.serviceUrl ?? 'the built-in sandbox')
  return { journal: name, service, stage }
}
