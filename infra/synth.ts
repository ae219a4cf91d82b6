// Writes the cloud assembly as a command: `node infra/synth.ts [--config FILE] [--out DIR]`. `npm run synth`, the cdk
// command and a desk run it. Other code imports synthesize.ts instead. Compiled code is cached, because compiling the
// CDK would take half of the time.
import '../bin/compile-cache.cjs'
import { parseArgs } from 'node:util'
import { ConfigError, DEFAULT_TREASURY_FILE, loadTreasury } from '../core/treasury/config.ts'
import { brokenRules } from './broken-rules.ts'
import { assertMayDeployTo, readDeployer } from './pinned-place.ts'

const USAGE = `Example: node infra/synth.ts --config treasury.json --out cdk.out

Writes the cloud assembly: templates, state machine definitions, bundled functions.
  --config FILE  configuration (default: SLUICE_CONFIG, or treasury.json)
  --out DIR      where the assembly goes (default: cdk.out)
  --desk         for a state directory of one machine: names without the environment of treasury.json
  --bundle DIR   with --desk: the bundles of this source, or an empty directory that gets them

CDK_VALIDATION=false in the environment leaves out CDK's own check of the templates, which is half of the time:
for quick loops, not for what is deployed. The rules of cdk-nag are checked either way, but not with --desk: nothing of
that is deployed. cdk-nag.json in DIR lists the rules that are set aside, with reasons. SLUICE_DEBUG=1 writes bundles
that a debugger can show: never deploy those.`

/** The same codes as in place/exit-code.ts. */
const ExitCode = { Done: 0, Failed: 1, Usage: 2 } as const

async function main(args: readonly string[]): Promise<number> {
  const options = parseOptions(args)
  if (options === undefined) return ExitCode.Usage
  if (options.help === true) {
    console.log(USAGE)
    return ExitCode.Done
  }
  const configFile = options.config ?? (process.env.SLUICE_CONFIG || DEFAULT_TREASURY_FILE)
  // The cdk command names in this variable the folder that it reads.
  const outDir = options.out ?? process.env.CDK_OUTDIR ?? 'cdk.out'
  const startedAt = performance.now()
  try {
    // Checked before the CDK is loaded, because loading takes longer than this check.
    const isDesk = options.desk === true
    const { aws } = loadTreasury(configFile)
    if (!isDesk) assertMayDeployTo(aws, process.env)
    const { synthesize, synthesizeDesk } = await import('./synthesize.ts')
    const isForDebugger = Boolean(process.env.SLUICE_DEBUG)
    if (isDesk) synthesizeDesk({ configFile, outDir, bundleDir: options.bundle, isForDebugger })
    else
      synthesize({
        configFile,
        outDir,
        isForDebugger,
        deployer: readDeployer(process.env),
        tell: (line) => console.error(line),
      })
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return error instanceof ConfigError ? ExitCode.Usage : ExitCode.Failed
  }
  // The cdk command prints broken rules itself, where this process ends well.
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  if (brokenRules(outDir).length === 0) console.error(`${outDir}: written in ${seconds} s`)
  return ExitCode.Done
}

function parseOptions(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        config: { type: 'string' },
        out: { type: 'string' },
        desk: { type: 'boolean' },
        bundle: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    })
    return values
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${USAGE}`)
    return undefined
  }
}

process.exitCode = await main(process.argv.slice(2))
