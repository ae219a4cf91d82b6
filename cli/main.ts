// Runs the `sluice` command (bin/sluice.cjs starts it). It must stay small, because every command waits for it.
import './terminal/compile-cache.ts'
import { runProgram } from './program.ts'
import { processContext } from './terminal/process-context.ts'

process.exitCode = await runProgram(processContext())
