// `npm run sluice -- <command>`.
import './compile-cache.ts'
import { processContext } from './process-context.ts'
import { runProgram } from './program.ts'

process.exitCode = await runProgram(processContext())
