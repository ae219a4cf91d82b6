// Runs the `sluice` command, or answers a completion without the program; bin/sluice.cjs starts it. It must stay small,
// because it is compiled at each start.
import '../bin/compile-cache.cjs'

// Imports at the top of a module are compiled before the module runs, which is too early for the compile cache.
async function run(): Promise<number> {
  const { runProgram } = await import('./program.ts')
  const { processContext } = await import('./terminal/process-context.ts')
  return runProgram(processContext())
}

const argv = process.argv.slice(2)
const isCompletion = argv[1] === 'completion' && argv[2] === 'words'
const { answerKept } = isCompletion ? await import('./setup/completion/words.ts') : {}
const isAnswered = await answerKept?.(argv, (text) => void process.stdout.write(text))
process.exitCode = isAnswered === true ? 0 : await run()
