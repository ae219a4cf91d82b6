// Gives each event of an execution its number, and the number of the event that led to it: the one
// before it in its branch, the Map's start for an iteration's first, the end of the iteration that
// ended last for what follows a Map.
import { type Branch, findIteration, ROOT } from './branch.ts'
import type { BranchEvent, HistoryEvent } from './history.ts'

export class EventNumbers {
  #last = 0
  readonly #lastOf = new Map<Branch, number>()
  /** The branch that each Map runs in, by the number of its MapStateStarted. */
  readonly #mapsIn = new Map<number, Branch>()

  constructor(events: readonly BranchEvent<HistoryEvent>[]) {
    for (const { branch, event } of events) this.#note(branch, event)
  }

  /** How many events there are. */
  get last(): number {
    return this.#last
  }

  place(drafts: readonly BranchEvent[], nowMs: number): readonly BranchEvent<HistoryEvent>[] {
    return drafts.map(({ branch, event: draft }) => {
      const id = this.#last + 1
      const event = { id, previousEventId: this.#previous(branch, id), timestamp: new Date(nowMs), ...draft }
      this.#note(branch, event)
      return { branch, event }
    })
  }

  #previous(branch: Branch, id: number): number {
    // AWS gives the first two events no predecessor.
    if (id <= 2) return 0
    return this.#lastOf.get(branch) ?? findIteration(branch)?.mapStartedId ?? this.#last
  }

  #note(branch: Branch, event: Pick<HistoryEvent, 'id' | 'type'>): void {
    this.#last = event.id
    this.#lastOf.set(branch, event.id)
    if (event.type === 'MapStateStarted') this.#mapsIn.set(event.id, branch)
    if (event.type.startsWith('MapIteration') && event.type !== 'MapIterationStarted') {
      const mapStartedId = findIteration(branch)?.mapStartedId ?? 0
      this.#lastOf.set(this.#mapsIn.get(mapStartedId) ?? ROOT, event.id)
    }
  }
}
