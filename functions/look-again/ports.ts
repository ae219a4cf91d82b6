// Defines the interfaces through which LookAgain reads, and starts executions.
import type { Clock } from '../../core/clock.ts'
import type { Timing } from '../../core/contract/timing.ts'
import type { Treasury } from '../../core/contract/treasury.ts'
import type { Halts } from '../../core/journal/halts.ts'
import type { ListBeginning } from '../../core/journal/intent-index.ts'
import type { Journal } from '../../core/journal/journal.ts'
import type { DecisionReaders } from '../../core/runs/approval/decision.ts'
import type { Runs } from '../../core/runs/record/runs.ts'
import type { ServiceClock } from '../../core/service/ports.ts'
import type { FindExecution, ListStopped, Starter } from '../../core/triggers/starter.ts'

export interface LookAgainPorts extends DecisionReaders {
  /** This machine's clock: in an outage nobody knows the service's. */
  readonly clock: Pick<Clock, 'nowMs'>
  readonly list: ListBeginning
  readonly journal: Pick<Journal, 'find'>
  readonly runs: Pick<Runs, 'find'>
  readonly halts: Pick<Halts, 'find'>
  readonly service: {
    readonly clock: Pick<ServiceClock, 'measure' | 'nowMs' | 'reachedMs'>
    /** Makes one cheap read with the key. @throws Transient when the service does not answer; KeyFault */
    assertAnswers(): Promise<void>
  }
  readonly findExecution: FindExecution
  readonly listStopped: ListStopped
  readonly starter: Starter
  readonly timing: Timing
  readonly treasury: Treasury
}
