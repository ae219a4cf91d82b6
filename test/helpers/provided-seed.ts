// A global set-up of vitest: passes the seed of the run to its workers, so that properties use it too.
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    seed: number
  }
}

export default function setup(project: TestProject): void {
  project.provide('seed', project.vitest.config.sequence.seed)
}
