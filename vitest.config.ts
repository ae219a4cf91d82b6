import { configDefaults, defineConfig } from 'vitest/config'

/**
 * Tests that kill, fly, rotate or mutate whole programs: minutes of real processes and real waits.
 * `npm run test:long` runs these, `npm test` all others; `npm run check` and CI run both.
 */
const LONG_TESTS = [
  'test/integration/cli/{account-directory,attention,foreign-service,key-fault,kill,new-directory,power-cut}.test.ts',
  'test/integration/cli/{desk-replaced,desk-suspended,interrupted-run,named-desk}.test.ts',
  'test/integration/cli/{run-convert,run-policies,run-withdraw,serve,silent-rotation,start,unsettled}.test.ts',
  'test/integration/client/contract-runner.test.ts',
  'test/integration/keys/{canary,embedded-rotation,own-keys,rotation-under-load}.test.ts',
  'test/integration/policies/command.test.ts',
  'test/simulation/{exploration,mutants}.test.ts',
  'test/policies/days/{days,worlds}.test.ts',
  'test/wind-tunnel/*.test.ts',
]

const isLong = process.env.SLUICE_TESTS === 'long'
const reportDir = process.env.SLUICE_TEST_REPORTS

export default defineConfig({
  test: {
    include: isLong ? LONG_TESTS : ['{test,schedules,embedded-aws,sandbox}/**/*.test.ts'],
    exclude: isLong ? configDefaults.exclude : [...configDefaults.exclude, ...LONG_TESTS],
    environment: 'node',
    globalSetup: ['test/helpers/synthesized-assembly.ts'],
    // CI counts tests from these files (.ci/run).
    reporters:
      reportDir === undefined
        ? ['default']
        : ['default', ['json', { outputFile: `${reportDir}/${isLong ? 'long' : 'short'}.json` }]],
    // Two cores: more workers only add start-up and memory. The long tests also wait, so that a third has room.
    maxWorkers: isLong ? 3 : 2,
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
})
