// Runs `npm start`, which start/command.ts defines. It must stay small, because it is compiled at each start.
import '../bin/compile-cache.cjs'

// Imports at the top of a module are compiled before the module runs, which is too early for the compile cache.
const { runStart } = await import('./start/command.ts')
const { processContext } = await import('./terminal/process-context.ts')

process.exitCode = await runStart(processContext())
