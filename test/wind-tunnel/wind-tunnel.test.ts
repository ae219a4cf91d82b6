import { expect, inject, test } from 'vitest'
import { flyRuns, type RunVerdict } from './tunnel.ts'

// Of the seeds that `npm run wind-tunnel -- --runs 10 --seed 1` runs; .ci/run goes on from there.
test('ten runs with killed and frozen workers and a failing service: each intent and each leg one movement, or a certified zero', async () => {
  const verdicts: RunVerdict[] = []
  const flight = { assemblyDir: inject('assemblyDir'), seed: 1, runs: 10, tunnels: 1 }
  await flyRuns(flight, (verdict) => void verdicts.push(verdict))
  expect(
    verdicts.flatMap(({ seed, violations }) => violations.map((violation) => `seed ${seed}: ${violation}`)),
  ).toEqual([])
  expect(verdicts.map(({ seed }) => seed)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  // It went through something, and got something done.
  expect(verdicts.some(({ mishaps }) => Object.keys(mishaps).some((name) => name.startsWith('kill')))).toBe(true)
  expect(verdicts.some(({ mishaps }) => Object.keys(mishaps).some((name) => name.startsWith('freeze')))).toBe(true)
  expect(verdicts.reduce((sum, { movements }) => sum + movements, 0)).toBeGreaterThan(10)
  expect(verdicts.some(({ runEnds }) => 'SETTLED' in runEnds)).toBe(true)
  // On a machine that may be busy.
}, 180_000)
