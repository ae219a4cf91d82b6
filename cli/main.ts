// `npm run sluice -- <command>`.
import './terminal/compile-cache.ts'
import { runProgram } from './program.ts'
import { processContext } from './terminal/process-context.ts'

process.exitCode = await runProgram(processContext())
