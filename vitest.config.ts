import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { availableParallelism, totalmem } from 'node:os'
import path from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Tests that kill, fly, rotate or mutate whole programs, and others that take seconds and rarely find anything. `npm run
 * test:long` runs these, `npm test` all others. CI runs a twelfth of these, by its commit.
 */
const LONG_TESTS = ['{test,packages}/**/*.long.test.ts']

/**
 * Files that take longest, the longest first. They start in the first quarter of a run: otherwise one of them would run alone
 * at its end.
 */
const LONGEST = [
  'test/campaigns/worlds',
  'test/simulation/exploration',
  'test/integration/console/browser',
  'test/integration/cli/run-policies',
  'test/workflow/look-again',
  'test/integration/cli/kill',
  'test/integration/runs/verifiers-agree',
  'test/workflow/insider-starts',
  'test/workflow/insider.',
  'test/integration/console/decisions',
  'test/infra/packages',
  'test/workflow/rate-limit',
  'test/integration/cli/new-directory',
  'test/integration/cli/key-fault',
  'test/integration/cli/cases',
  'test/integration/cli/power-cut',
  'test/integration/cli/approve-movement.',
  'test/integration/cli/start',
  'test/integration/cli/run-withdraw',
  'test/integration/cli/desk-refuses',
  'test/drills/lost-region',
  'test/drills/service-down',
]

/**
 * Workers of the long tests. They wait for most of their time, so each core has several. Each worker takes up to 1.5 GB with the
 * programs that it starts.
 */
const LONG_WORKERS = Math.max(2, Math.min(4 * availableParallelism(), 8, Math.floor(totalmem() / 1.5e9)))

/**
 * Runs the files of each project in an order that the seed draws (`--sequence.seed N`). A file's place follows from the
 * seed and its own path, so that some of the files, run alone, keep their order among themselves.
 */
class SeededOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { config } = this.ctx
    const placeOf = ({ moduleId, project }: TestSpecification) => {
      const file = path.relative(config.root, moduleId)
      const drawn = createHash('sha256').update(`${config.sequence.seed} ${file}`).digest().readUInt32BE()
      const isLongest = LONGEST.some((name) => file.startsWith(name))
      return { project: project.name, drawn: isLongest ? drawn / 4 : drawn }
    }
    const places = new Map(files.map((file) => [file, placeOf(file)]))
    return [...files].sort((one, other) => comparePlaces(places.get(one), places.get(other)))
  }

  /** Deals the files out in turn, the longest first, so that the shares of CI take as long as each other (.ci/run). */
  override async shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { config } = this.ctx
    const { index, count } = config.shard ?? { index: 1, count: 1 }
    const named = files.map((file) => ({ file, name: path.relative(config.root, file.moduleId) }))
    const placeOf = (name: string) => LONGEST.findIndex((start) => name.startsWith(start)) >>> 0
    named.sort((one, other) => placeOf(one.name) - placeOf(other.name) || one.name.localeCompare(other.name))
    return named.filter((_, place) => place % count === index - 1).map(({ file }) => file)
  }
}

interface Place {
  readonly project: string
  readonly drawn: number
}

/** A worker serves one project, so that the files of a project follow each other. */
function comparePlaces(one: Place = { project: '', drawn: 0 }, other: Place = { project: '', drawn: 0 }): number {
  return one.project.localeCompare(other.project) || one.drawn - other.drawn
}

/** In a folder that is no checkout the seed is drawn. */
function seedOfCommit(): { readonly seed: number } | undefined {
  const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' })
  return status === 0 ? { seed: Number.parseInt(stdout.slice(0, 7), 16) } : undefined
}

const UNIT_TESTS = ['{test,packages/*/test}/unit/**/*.test.ts', 'packages/schedules/test/*.test.ts']

/**
 * Workers, their threads and the programs that they start keep what Node has compiled of the libraries, CDK and the SDK among
 * them. It is beside the sources, as what the commands keep (bin/compile-cache.cjs).
 */
process.env.NODE_COMPILE_CACHE ??= path.join(import.meta.dirname, 'node_modules/.cache/compiled')

const isLong = process.env.SLUICE_TESTS === 'long'
const reportDir = process.env.SLUICE_TEST_REPORTS
const memory = 'test/helpers/memory-folder.ts'
const seed = 'test/helpers/provided-seed.ts'
const globalSetup = [memory, seed, 'test/helpers/synthesized-assembly.ts']

const setupFiles = ['test/helpers/own-process.ts']

/**
 * Files share a worker, one after the other: modules are loaded and compiled once for all of them. So a file takes back what
 * it changes of its process, and stops what it started.
 */
const isolate = false

const long = { name: 'long', include: LONG_TESTS, globalSetup, setupFiles, isolate }
/** Their tests run in any order within a file too. A file of integration is a story, whose steps follow each other. */
const unit = {
  name: 'unit',
  include: UNIT_TESTS,
  exclude: [...configDefaults.exclude, ...LONG_TESTS],
  globalSetup: [memory, seed],
  setupFiles,
  isolate,
  sequence: { shuffle: { files: true, tests: true } },
}
const rest = {
  name: 'rest',
  include: ['{test,packages}/**/*.test.ts'],
  exclude: [...configDefaults.exclude, ...LONG_TESTS, ...UNIT_TESTS],
  globalSetup,
  setupFiles,
  isolate,
}

export default defineConfig({
  test: {
    projects: (isLong ? [long] : [unit, rest]).map((test) => ({ extends: true, test })),
    environment: 'node',
    env: {
      // CDK's own validation of templates is half of a synthesis. others-tools.long.test.ts and `npm run synth` have it on.
      CDK_VALIDATION: 'false',
      // DynamoDB Local lives for seconds: the second compiler and a collector with threads of its own only cost time.
      JDK_JAVA_OPTIONS: process.env.JDK_JAVA_OPTIONS ?? '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC',
    },
    // Vitest prints the seed. In CI the commit gives it, so that the same commit gives the same answer.
    sequence: {
      sequencer: SeededOrder,
      shuffle: { files: true, tests: false },
      ...(process.env.CI !== undefined && seedOfCommit()),
    },
    // CI counts tests from these files (.ci/run).
    reporters:
      reportDir === undefined
        ? ['default']
        : ['default', ['json', { outputFile: `${reportDir}/${isLong ? 'long' : 'short'}.json` }]],
    // Two cores. Tests wait for a fifth of their time, so more workers than cores are useful.
    maxWorkers: isLong ? LONG_WORKERS : 3,
    // These end what hangs. No test fails because its machine is slow, so they are far beyond what any test takes.
    testTimeout: isLong ? 1_800_000 : 300_000,
    hookTimeout: isLong ? 1_800_000 : 300_000,
    expect: { poll: { timeout: 120_000 } },
  },
})
