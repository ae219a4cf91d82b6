// Runs the `sluice` command; bin/sluice.cjs starts it. It must stay small, because it is compiled at each start.
import '../bin/compile-cache.cjs'

// Imports at the top of a module are compiled before the module runs, which is too early for the compile cache.
const { runProgram } = await import('./program.ts')
const { processContext } = await import('./terminal/process-context.ts')

process.exitCode = await runProgram(processContext())
