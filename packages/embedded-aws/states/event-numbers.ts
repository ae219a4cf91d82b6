// Numbers each event of an execution, and gives the number of the event that led to it, as recorded from AWS. Within a
// branch that is usually the previous event. Also knows the state that each branch is in.
import { type Branch, findIteration } from './branch.ts'
import type { Abortable, BranchEvent, HistoryEvent, HistoryEventType } from './history.ts'

interface MapNumbers {
  readonly startedId: number
  /** The branch that the Map runs in. */
  readonly branch: Branch
  /** Ids of events whose ends made room for an iteration that has not begun. */
  readonly room: number[]
}

/** Events without a successor in their branch: the next event refers to the one before them. */
const ASIDE: ReadonlySet<HistoryEventType> = new Set([
  'MapStateSucceeded',
  'MapIterationFailed',
  'MapIterationAborted',
  'TaskStateAborted',
  'WaitStateAborted',
  'MapStateAborted',
])

const ABORTABLE: readonly Abortable[] = ['Task', 'Wait', 'Map']

export class EventNumbers {
  #last = 0
  readonly #lastOf = new Map<Branch, number>()
  readonly #stateOf = new Map<Branch, Abortable>()
  /** Maps, by the number of their MapStateStarted. */
  readonly #maps = new Map<number, MapNumbers>()

  constructor(events: readonly BranchEvent<HistoryEvent>[]) {
    for (const { branch, event } of events) this.#note(branch, event)
  }

  get last(): number {
    return this.#last
  }

  stateOf(branch: Branch): Abortable | undefined {
    return this.#stateOf.get(branch)
  }

  place(drafts: readonly BranchEvent[], nowMs: number): readonly BranchEvent<HistoryEvent>[] {
    return drafts.map(({ after, event: draft, ...rest }) => {
      const id = this.#last + 1
      const previousEventId = this.#previous(after ?? rest.branch, draft.type, id)
      const event = { id, previousEventId, timestamp: new Date(nowMs), ...draft }
      this.#note(rest.branch, event)
      return { ...rest, event }
    })
  }

  #previous(branch: Branch, type: HistoryEventType, id: number): number {
    // On AWS the first two events have no predecessor, and neither has an event that ends an execution from outside.
    if (id <= 2 || type === 'ExecutionAborted' || type === 'ExecutionTimedOut') return 0
    const map = this.#mapOf(branch)
    if (type === 'MapIterationStarted') return map?.room[0] ?? map?.startedId ?? this.#last
    return this.#lastOf.get(branch) ?? map?.startedId ?? this.#last
  }

  #note(branch: Branch, event: HistoryEvent): void {
    const { id, previousEventId, type } = event
    this.#last = id
    if (!ASIDE.has(type)) this.#lastOf.set(branch, id)
    const entered = ABORTABLE.find((kind) => type === `${kind}StateEntered`)
    if (entered !== undefined) this.#stateOf.set(branch, entered)
    else if (type.endsWith('StateExited')) this.#stateOf.delete(branch)
    if (type === 'MapStateStarted') this.#maps.set(id, { startedId: id, branch, room: [] })
    const map = this.#mapOf(branch)
    if (map === undefined) return
    if (type === 'MapIterationStarted' && map.room[0] === previousEventId) map.room.shift()
    if (type === 'MapIterationSucceeded') {
      map.room.push(previousEventId)
      this.#lastOf.set(map.branch, id)
    }
    // The Map continues, or fails, after the event that made its iteration fail.
    if (type === 'MapIterationFailed') this.#lastOf.set(map.branch, previousEventId)
  }

  #mapOf(branch: Branch): MapNumbers | undefined {
    return this.#maps.get(findIteration(branch)?.mapStartedId ?? 0)
  }
}
