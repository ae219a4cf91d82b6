import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Tests that kill, fly, rotate or mutate whole programs: minutes of real processes and real waits.
 * `npm run test:long` runs these, `npm test` all others; `npm run check` and CI run both.
 */
const LONG_TESTS = [
  'test/drills/*.test.ts',
  'test/integration/cli/{account-directory,attention,foreign-service,key-fault,kill,new-directory,power-cut}.test.ts',
  'test/integration/cli/{desk-replaced,desk-suspended,interrupted-run,named-desk}.test.ts',
  'test/integration/cli/{run-convert,run-policies,run-withdraw,serve,silent-rotation,start,unsettled}.test.ts',
  'test/integration/client/contract-runner.test.ts',
  'test/integration/console/{browser,decisions,live,report}.test.ts',
  'test/integration/keys/{canary,embedded-rotation,own-keys,rotation-under-load}.test.ts',
  'test/integration/policies/command.test.ts',
  'test/integration/scale/counts.test.ts',
  'test/pictures/pictures.test.ts',
  'test/simulation/{exploration,mutants}.test.ts',
  'test/policies/days/{days,worlds}.test.ts',
  'test/wind-tunnel/*.test.ts',
  'test/workflow/forged-deliveries.test.ts',
  'test/workflow/look-again.test.ts',
  'test/workflow/rate-limit.test.ts',
]

/** Of these `npm test` runs a part, and `npm run test:long` the whole. */
const IN_BOTH = ['test/simulation/untidy.test.ts']

/**
 * They take minutes, so they begin first: else one of them goes on alone at the end. Those that reckon stand between
 * those that wait.
 */
const LONGEST = [
  'test/simulation/mutants',
  'test/integration/console/browser',
  'test/workflow/look-again',
  'test/simulation/exploration',
  'test/integration/cli/new-directory',
  'test/policies/days/worlds',
  'test/integration/cli/attention',
  'test/policies/days/days',
  'test/integration/cli/desk.',
  'test/simulation/untidy',
]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification) => {
      const place = LONGEST.findIndex((name) => moduleId.includes(name))
      return place === -1 ? LONGEST.length : place
    }
    return (await super.sort(files)).sort((one, other) => placeOf(one) - placeOf(other))
  }
}

const UNIT_TESTS = ['{test,embedded-aws/test,sandbox/test}/unit/**/*.test.ts', 'schedules/test/*.test.ts']

const isLong = process.env.SLUICE_TESTS === 'long'
const reportDir = process.env.SLUICE_TEST_REPORTS
const memory = 'test/helpers/memory-folder.ts'
const globalSetup = [memory, 'test/helpers/synthesized-assembly.ts']

const long = { name: 'long', include: [...LONG_TESTS, ...IN_BOTH], globalSetup }
/**
 * Files share a worker, one after the other: modules are loaded and compiled once for all of them. So a file takes back what
 * it changes of its process, and stops what it started.
 */
const isolate = false
const unit = { name: 'unit', include: UNIT_TESTS, globalSetup: [memory], isolate }
const rest = {
  name: 'rest',
  include: ['{test,embedded-aws,sandbox}/**/*.test.ts'],
  exclude: [...configDefaults.exclude, ...LONG_TESTS, ...UNIT_TESTS],
  globalSetup,
  isolate,
}

export default defineConfig({
  test: {
    projects: (isLong ? [long] : [unit, rest]).map((test) => ({ extends: true, test })),
    environment: 'node',
    sequence: { sequencer: LongestFirst },
    // CI counts tests from these files (.ci/run).
    reporters:
      reportDir === undefined
        ? ['default']
        : ['default', ['json', { outputFile: `${reportDir}/${isLong ? 'long' : 'short'}.json` }]],
    // Two cores. Tests wait for a fifth of their time, and long ones for most of it, so that there is room for more.
    maxWorkers: isLong ? 5 : 3,
    // Ends a test that hangs. A long one may take several times as long in a slow hour of a machine.
    testTimeout: isLong ? 120_000 : 20_000,
    hookTimeout: 30_000,
  },
})
