// Runs the `sluice` command (bin/sluice.cjs starts it). It must stay small, because it is compiled at each start.
import '../bin/compile-cache.cjs'

// What a module imports at its top is compiled before the module runs: too early for the cache.
const { runProgram } = await import('./program.ts')
const { processContext } = await import('./terminal/process-context.ts')

process.exitCode = await runProgram(processContext())
