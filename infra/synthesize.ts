// Makes the cloud assembly from treasury.json: reads, bundles, synthesizes. Deploys nothing.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type App, Validations } from 'aws-cdk-lib'
import { loadTreasury } from '../core/treasury/config.ts'
import { createApp } from './app.ts'
import { brokenRules } from './broken-rules.ts'
import { bundleFunctions } from './bundle/bundle.ts'
import { billOfMaterials } from './bundle/third-parties.ts'

import type { Deployer } from './workflow-stack.ts'

interface SetAsideRule {
  /** Path of the construct, from the stack on. The rule is set aside for everything below it. */
  readonly path: string
  readonly rule: string
  readonly why: string
}

/** Name of the pack whose rules every deployed app keeps. */
const RULE_PACK = 'AwsSolutions'

export function rulesSetAside(app: App): readonly SetAsideRule[] {
  return app.node
    .findAll()
    .flatMap(({ node }) =>
      node.metadata
        .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
        .flatMap(({ data }) =>
          Object.entries(data as Record<string, string>).map(([rule, why]) => ({ path: node.path, rule, why })),
        ),
    )
    .filter(({ rule }) => rule.includes(RULE_PACK))
}

/** Bill of materials of the assets, in the folder of the assembly. */
export const BILL_FILE = 'sbom.cdx.json'
/** Report of the rules of cdk-nag, in the folder of the assembly. */
export const RULES_FILE = 'cdk-nag.json'

export interface SynthesizeOptions {
  readonly configFile: string
  /** Folder for the cloud assembly; created if absent. */
  readonly outDir: string
  /** Bundles for a debugger. They are larger, and so slower to start. Default false. */
  readonly isForDebugger?: boolean
  /** Default: nobody claims to deploy it. */
  readonly deployer?: Deployer
  /** Receives a line for each stage, because the whole takes up to half a minute. */
  readonly tell?: (line: string) => void
}

export interface SynthesizeDeskOptions extends SynthesizeOptions {
  /**
   * Folder for the bundles of this source, which are written when it is empty. Without it the bundles go to a temporary
   * folder.
   */
  readonly bundleDir?: string | undefined
}

/** Writes the cloud assembly. Throws ConfigError, or the findings of esbuild, CDK or cdk-nag. */
export function synthesize({
  configFile,
  deployer,
  isForDebugger = false,
  outDir,
  tell = () => {},
}: SynthesizeOptions): void {
  inTemporaryFolder((bundleDir) => {
    tell('synth: bundles the functions')
    const thirdParties = bundleFunctions(bundleDir, { isForDebugger })
    tell('synth: builds the stacks')
    const app = createdApp({ configFile, bundleDir, outDir, isDesk: false, ...(deployer && { deployer }) })
    const isValidated = process.env.CDK_VALIDATION !== 'false'
    tell(`synth: checks the templates by cdk-nag${isValidated ? ' and CloudFormation Validate' : ''}`)
    app.synth()
    writeFileSync(join(outDir, BILL_FILE), billOfMaterials(thirdParties, ownVersion()))
    if (brokenRules(outDir).length > 0) return
    const setAside = rulesSetAside(app)
    const report = { pack: RULE_PACK, broken: [], setAside }
    writeFileSync(join(outDir, RULES_FILE), `${JSON.stringify(report, undefined, 2)}\n`)
    tell(
      `cdk-nag: no rule of ${RULE_PACK} is broken; ${join(outDir, RULES_FILE)} has why ${setAside.length} are set aside`,
    )
  })
}

/**
 * Writes the assembly for a state directory. Each state directory is a separate environment: its names carry no prefix,
 * and nothing of it is deployed.
 */
export function synthesizeDesk({ bundleDir, configFile, isForDebugger = false, outDir }: SynthesizeDeskOptions): void {
  inTemporaryFolder((folder) => {
    const bundles = bundleDir ?? folder
    if (readdirSync(bundles).length === 0) bundleFunctions(bundles, { isForDebugger })
    createdApp({ configFile, bundleDir: bundles, outDir, isDesk: true }).synth()
  })
}

function inTemporaryFolder(work: (folder: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bundle-'))
  try {
    work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

interface AppFiles {
  readonly configFile: string
  readonly bundleDir: string
  readonly outDir: string
  readonly isDesk: boolean
  readonly deployer?: Deployer
}

function createdApp({ configFile, outDir, ...more }: AppFiles): App {
  return createApp({ treasury: loadTreasury(configFile), outDir: resolve(outDir), ...more })
}

function ownVersion(): string {
  return JSON.parse(readFileSync(fileURLToPath(new URL('../package.json', import.meta.url)), 'utf8')).version
}
