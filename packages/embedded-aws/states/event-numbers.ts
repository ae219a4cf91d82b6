// Gives each event of an execution its number, and the number of the event that led to it, as recorded from AWS.
// In its branch that is mostly the one before it. Knows besides in which states the branches stand.
import { type Branch, findIteration } from './branch.ts'
import type { Abortable, BranchEvent, HistoryEvent, HistoryEventType } from './history.ts'

interface MapNumbers {
  readonly startedId: number
  /** The branch that the Map runs in. */
  readonly branch: Branch
  /** What led to the ends that made room for an iteration, and that none has begun after. */
  readonly room: number[]
}

/** Nothing follows these in their branch: what comes next points at the event before them. */
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
  readonly #standsIn = new Map<Branch, Abortable>()
  /** By the number of the MapStateStarted. */
  readonly #maps = new Map<number, MapNumbers>()

  constructor(events: readonly BranchEvent<HistoryEvent>[]) {
    for (const { branch, event } of events) this.#note(branch, event)
  }

  /** How many events there are. */
  get last(): number {
    return this.#last
  }

  standsIn(branch: Branch): Abortable | undefined {
    return this.#standsIn.get(branch)
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
    // AWS gives the first two events no predecessor, and none to what ends an execution from outside.
    if (id <= 2 || type === 'ExecutionAborted' || type === 'ExecutionTimedOut') return 0
    const map = this.#mapOf(branch)
    if (type === 'MapIterationStarted') return map?.room[0] ?? map?.startedId ?? this.#last
    return this.#lastOf.get(branch) ?? map?.startedId ?? this.#last
  }

  #note(branch: Branch, event: Pick<HistoryEvent, 'id' | 'previousEventId' | 'type'>): void {
    const { id, previousEventId, type } = event
    this.#last = id
    if (!ASIDE.has(type)) this.#lastOf.set(branch, id)
    const entered = ABORTABLE.find((each) => type === `${each}StateEntered`)
    if (entered !== undefined) this.#standsIn.set(branch, entered)
    else if (type.endsWith('StateExited')) this.#standsIn.delete(branch)
    if (type === 'MapStateStarted') this.#maps.set(id, { startedId: id, branch, room: [] })
    const map = this.#mapOf(branch)
    if (map === undefined) return
    if (type === 'MapIterationStarted' && map.room[0] === previousEventId) map.room.shift()
    if (type === 'MapIterationSucceeded') {
      map.room.push(previousEventId)
      this.#lastOf.set(map.branch, id)
    }
    // The Map goes on, or fails, after what made its iteration fail.
    if (type === 'MapIterationFailed') this.#lastOf.set(map.branch, previousEventId)
  }

  #mapOf(branch: Branch): MapNumbers | undefined {
    return this.#maps.get(findIteration(branch)?.mapStartedId ?? 0)
  }
}
