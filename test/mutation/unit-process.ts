// Runs unit tests with one changed module in Vitest, in a process of its own: a mutant may never end, and is then killed
// with this process.
import path from 'node:path'
import { BaseSequencer, createVitest, type TestModule, type TestSpecification } from 'vitest/node'

const ROOT = path.resolve(import.meta.dirname, '../..')

export interface UnitTry {
  /** Path from the repository root. */
  readonly file: string
  readonly source: string
  /** In the order in which they run. */
  readonly tests: readonly string[]
}

export interface UnitAnswer {
  /** The first test that failed. `test`: its file. `name`: the file, and the test in it. */
  readonly failed?: { readonly test: string; readonly name: string }
}

/** The nearest tests run first, and the first failure ends the run. */
class GivenOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files
  }
}

let changed: { readonly id: string; readonly source: string } | undefined

const vitest = await createVitest(
  'test',
  {
    ...{ config: false, root: ROOT, watch: false, reporters: [{}], isolate: false, maxWorkers: 1, bail: 1 },
    // Its key is the file's own text, and not the changed text.
    fsModuleCache: false,
    globalSetup: ['test/helpers/memory-folder.ts', 'test/helpers/provided-seed.ts'],
    setupFiles: ['test/helpers/own-process.ts'],
    // The process that tries a mutant has a limit of its own.
    testTimeout: 300_000,
    sequence: { sequencer: GivenOrder, seed: 1 },
    onConsoleLog: () => false,
  },
  {
    server: { watch: null },
    plugins: [
      {
        name: 'mutant',
        enforce: 'pre',
        load: (id) => (id.split('?')[0] === changed?.id ? changed?.source : undefined),
      },
    ],
  },
)

process.on('message', async ({ file, source, tests }: UnitTry) => {
  if (changed) vitest.invalidateFile(changed.id)
  changed = { id: path.join(ROOT, file), source }
  vitest.invalidateFile(changed.id)
  const project = vitest.getRootProject()
  const specifications = tests.map((test) => project.createSpecification(path.join(ROOT, test)))
  // A run that was cut short keeps what an earlier run knew of its other files.
  vitest.state.filesMap.clear()
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications)
  const failed = testModules.find((module) => !module.ok()) ?? (unhandledErrors.length > 0 ? testModules[0] : undefined)
  process.send?.(failed === undefined ? {} : { failed: describeFailed(failed) })
})
process.send?.({})

function describeFailed(failed: TestModule): UnitAnswer['failed'] {
  const test = path.relative(ROOT, failed.moduleId)
  const [first] = failed.children.allTests('failed')
  return { test, name: [test, first?.fullName].filter(Boolean).join(': ') }
}
