// vitest's global set-up: hands the seed of the run to its workers, so that properties are drawn from it too.
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    seed: number
  }
}

export default function setup(project: TestProject): void {
  project.provide('seed', project.vitest.config.sequence.seed)
}
