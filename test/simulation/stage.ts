// Defines a world before its first event: the parts that its executions and its judges share. It has types only.
import type { Environments } from './environments.ts'
import type { Insider } from './insider.ts'
import type { JournalModel } from './journal-model.ts'
import type { Ports } from './ports.ts'
import type { Scheduler } from './scheduler.ts'
import type { ServiceModel } from './service-model.ts'
import type { Witness } from './witness.ts'

/** A fault that happened, with the state of each intent. */
export interface Situation {
  readonly fault: string
  readonly states: readonly string[]
}

export interface Stage {
  readonly scheduler: Scheduler
  readonly journal: JournalModel
  readonly witness: Witness
  readonly service: ServiceModel
  readonly environments: Environments<Ports>
  readonly insider: Insider
  readonly situations: Situation[]
}
