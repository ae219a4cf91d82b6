// How many cases a property draws. `npm test` draws several times as many as the latest of the faults that were planted
// took to be found; `SLUICE_CASES=10 npx vitest run test/unit/planning` draws ten times as many again.

/** @throws TypeError for a `SLUICE_CASES` that is not a whole number above zero */
export function cases(usual: number): number {
  const times = Number(process.env.SLUICE_CASES ?? 1)
  if (!Number.isInteger(times) || times < 1) throw new TypeError('SLUICE_CASES: expected a whole number above zero')
  return usual * times
}
