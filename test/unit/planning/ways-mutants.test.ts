// The judge of random portfolios catches each naive choice of a path.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { planRebalance } from '../../../core/policies/rebalance/planner.ts'
import { editing, type Mutant } from '../../mutants/source-edits.ts'
import { judgePortfolio } from './portfolio-runs.ts'
import { WAY_MUTANTS } from './way-mutants.ts'

const MOST_PORTFOLIOS = 2_000
const PLANNER = path.resolve(import.meta.dirname, '../../../core/policies/rebalance/planner.ts')

async function withPlanner<Result>({ edits }: Mutant, use: (plans: typeof planRebalance) => Result): Promise<Result> {
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-ways-'))
  try {
    const outfile = path.join(folder, 'planner.mjs')
    await build({
      entryPoints: [PLANNER],
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      plugins: [editing(edits)],
    })
    const planner = (await import(pathToFileURL(outfile).href)) as { readonly planRebalance: typeof planRebalance }
    return use(planner.planRebalance)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The first portfolio with a finding. */
function findCaught(plans: typeof planRebalance): number | undefined {
  for (let seed = 1; seed <= MOST_PORTFOLIOS; seed += 1) if (judgePortfolio(seed, plans).length > 0) return seed
  return undefined
}

test('the product itself has no finding in 2,000 portfolios', () => {
  expect(findCaught(planRebalance)).toBeUndefined()
})

test.each(Object.entries(WAY_MUTANTS))('%s is caught within 2,000 portfolios', async (_, mutant) => {
  expect(await withPlanner(mutant, findCaught)).toBeDefined()
})
