// Naive variants of the steps of a run: what a plan and a settlement must not take for a certain zero.
import { IntentState } from '../../../core/contract/records.ts'
import { Verb } from '../../../core/contract/states.ts'
import type { RunPorts } from '../../../core/runs/ports.ts'
import type { Naive, NaiveVariants } from './at-port.ts'

type RunFault = NonNullable<Naive['runPorts']>

/** The step `verb` takes intents in these states for certified zeros. */
const takesForZeros =
  (verb: string, states: readonly string[], more: (ports: RunPorts) => Partial<RunPorts> = () => ({})): RunFault =>
  (ports, machine) => {
    const isStep = () => machine.verb === verb
    const find: RunPorts['journal']['find'] = async (intentId, kind) => {
      const found = await ports.journal.find(intentId, kind)
      if (found === undefined || !isStep() || !states.includes(found.state)) return found
      return { ...found, state: IntentState.Exhausted, outcome: 'EXHAUSTED' }
    }
    const all = { ...ports, journal: { ...ports.journal, find } }
    return { ...all, ...more(all) }
  }

const NOTHING_OPEN = () => ({ index: { list: async () => [] } })

export const NAIVE_RUNS: NaiveVariants = {
  'plan-forgets-doubts': {
    about: 'plans a row again while it is in doubt what became of it',
    ...{ world: 'runs', untidy: [] },
    runPorts: takesForZeros(Verb.PlanSweep, [IntentState.Armed, IntentState.Escalated], NOTHING_OPEN),
  },
  'plan-forgets-payments': {
    about: 'plans a row again that an earlier run has paid',
    ...{ world: 'runs', untidy: [] },
    runPorts: takesForZeros(Verb.PlanSweep, [IntentState.Done]),
  },
  'settles-doubts': {
    about: 'says of a leg in doubt that it moved nothing',
    ...{ world: 'runs', untidy: [] },
    runPorts: takesForZeros(Verb.SettleRun, [IntentState.Armed]),
  },
}
