// Tries one mutant after another: first in a few schedules of the simulation, then with the unit tests that load its file,
// then in many schedules. The first that notices the mutant ends its trial.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { Helper, TIMED_OUT } from './helper.ts'
import type { Mutant } from './mutants.ts'
import { type RelatedTests, readRelatedTests } from './related-tests.ts'
import type { SimulationAnswer, SimulationTry } from './simulation-process.ts'
import type { UnitAnswer, UnitTry } from './unit-process.ts'

/** `by`: what noticed it, or how it did not end. */
export interface Verdict {
  readonly end: 'killed' | 'survived' | 'timed out'
  readonly by?: string
}

/** Schedules of each world: at first, and where no unit test notices the mutant. */
const FIRST_SCHEDULES = 40
const SCHEDULES = 200
/** Number of test files: the nearest, and at most. Two hundred load a file of the journal. */
const FIRST_TESTS = 4
const MOST_TESTS = 80
/** Processor time, far beyond what they take without a mutant. */
const FIRST_LIMIT_SECONDS = 30
const LIMIT_SECONDS = 120

const ROOT = path.resolve(import.meta.dirname, '../..')

export class Trials {
  readonly #simulation = new Helper<SimulationTry, SimulationAnswer>('./simulation-process.ts')
  readonly #units = new Helper<UnitTry, UnitAnswer>('./unit-process.ts')
  readonly #related: RelatedTests
  /** Test files that pass without a mutant. */
  readonly #sound = new Set<string>()

  private constructor(related: RelatedTests) {
    this.#related = related
  }

  static async prepare(): Promise<Trials> {
    return new Trials(await readRelatedTests())
  }

  /** @throws Error if a test that notices the mutant also fails without it */
  async try(mutant: Mutant): Promise<Verdict> {
    const tests = this.#related(mutant.file)
    const rounds = [
      () => this.#simulate(mutant, 1, FIRST_SCHEDULES, FIRST_LIMIT_SECONDS),
      () => this.#test(mutant, tests.slice(0, FIRST_TESTS), FIRST_LIMIT_SECONDS),
      () => this.#test(mutant, tests.slice(FIRST_TESTS, MOST_TESTS), LIMIT_SECONDS),
      () => this.#simulate(mutant, 1 + FIRST_SCHEDULES, SCHEDULES, LIMIT_SECONDS),
    ]
    for (const round of rounds) {
      const verdict = await round()
      if (verdict.end !== 'survived') return verdict
    }
    return { end: 'survived' }
  }

  stop(): void {
    this.#simulation.stop()
    this.#units.stop()
  }

  async #simulate(
    { file, source }: Mutant,
    firstSeed: number,
    schedules: number,
    limitSeconds: number,
  ): Promise<Verdict> {
    const answer = await this.#simulation.ask({ file, source, firstSeed, schedules }, limitSeconds)
    if (answer === TIMED_OUT) return { end: 'timed out', by: 'the simulation' }
    return answer.broken === undefined ? { end: 'survived' } : { end: 'killed', by: answer.broken }
  }

  async #test({ file, source }: Mutant, tests: readonly string[], limitSeconds: number): Promise<Verdict> {
    if (tests.length === 0) return { end: 'survived' }
    const answer = await this.#units.ask({ file, source, tests }, limitSeconds)
    if (answer === TIMED_OUT) return { end: 'timed out', by: 'unit tests' }
    if (answer.failed === undefined) return { end: 'survived' }
    await this.#assertSound(file, answer.failed)
    return { end: 'killed', by: answer.failed.name }
  }

  async #assertSound(file: string, { test, name }: NonNullable<UnitAnswer['failed']>): Promise<void> {
    if (this.#sound.has(test)) return
    const source = readFileSync(path.join(ROOT, file), 'utf8')
    const answer = await this.#units.ask({ file, source, tests: [test] }, LIMIT_SECONDS)
    if (answer === TIMED_OUT || answer.failed !== undefined) throw new Error(`fails without a mutant: ${name}`)
    this.#sound.add(test)
  }
}
