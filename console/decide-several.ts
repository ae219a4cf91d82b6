// Takes several decisions of one form, in their order. Each is written before the next one is checked, and no decision
// waits for the run of another, which a slow withdrawal may hold for hours.

/** Decides on one of them. It calls `onRecorded` once its decision is written, and resolves once its run has ended. */
export type DecideOne<Chosen, Result> = (chosen: Chosen, onRecorded: () => void) => Promise<Result>

/**
 * `decideOne` must not reject: an error of one leaves the others to be decided. `onDecided` is called once all are
 * written or refused, and their runs may be under way.
 */
export async function decideSeveral<Chosen, Result>(
  chosen: readonly Chosen[],
  decideOne: DecideOne<Chosen, Result>,
  onDecided: () => void = () => undefined,
): Promise<readonly Result[]> {
  const ends: Promise<Result>[] = []
  for (const each of chosen) {
    const { promise: recorded, resolve } = Promise.withResolvers<void>()
    const end = decideOne(each, resolve)
    ends.push(end)
    await Promise.race([recorded, end])
  }
  onDecided()
  return Promise.all(ends)
}
