// Sets the number of cases that a property draws. `SLUICE_CASES=10 npx vitest run test/unit/planning` draws ten times as
// many.

/** @throws TypeError unless `SLUICE_CASES` is a whole number above zero */
export function cases(usual: number): number {
  const times = Number(process.env.SLUICE_CASES ?? 1)
  if (!Number.isInteger(times) || times < 1) throw new TypeError('SLUICE_CASES: expected a whole number above zero')
  return usual * times
}
