// Runs a deployed function as Lambda does: its bundle from the asset, in a process of its own, which starts with exactly
// the variables of its template.
import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { Template } from 'aws-cdk-lib/assertions'
import { inject } from 'vitest'
import { functionName } from '../../../core/contract/deployed-names.ts'
import { handlerOf, type Verb } from '../../../core/contract/states.ts'
import { parseTreasury } from '../../../core/treasury/config.ts'
import { createApp } from '../../../infra/app.ts'
import { temporaryFolder } from '../../helpers/folders.ts'
import { stackOf } from '../../infra/assembly.ts'

const TASK_FOLDER = '/var/task'

export const arnOf = (verb: Verb) => `arn:aws:lambda:eu-west-1:123456789012:function:${functionName(verb)}`

export interface Deployed {
  /** `more`: variables whose values only a deployment knows; undefined removes one. */
  call(verb: Verb, event: object, more?: Readonly<Record<string, string | undefined>>): Promise<Called>
}

export interface Called {
  readonly answer: unknown
  readonly error: { readonly name: string; readonly message: string } | undefined
  /** Everything that it wrote. */
  readonly log: string
}

/** Synthesizes the app of this file, with the bundles that all tests share. */
export function deploy(file: object): Deployed {
  const outDir = path.join(temporaryFolder(), 'cdk.out')
  const [bundle = ''] = globSync(path.join(inject('assemblyDir'), 'asset.*/movements.cjs'))
  const treasury = parseTreasury(JSON.stringify(file))
  const app = createApp({ treasury, bundleDir: path.dirname(bundle), outDir })
  app.synth()
  const [code = ''] = globSync(path.join(outDir, 'asset.*'))
  const functions = ['SluiceWorkflow', 'SluiceTriggers'].flatMap((stack) =>
    Object.values(Template.fromStack(stackOf(app, stack)).findResources('AWS::Lambda::Function')),
  )
  return {
    async call(verb, event, more = {}) {
      const found = functions.find(({ Properties }) => Properties.FunctionName === functionName(verb))
      const texts = Object.entries(found?.Properties.Environment.Variables ?? {}).flatMap(([name, value]) =>
        typeof value === 'string' ? [[name, value.replace(TASK_FOLDER, code)]] : [],
      )
      const [file = '', name = ''] = handlerOf(verb).split('.')
      const program = `const { ${name} } = await import(${JSON.stringify(path.join(code, `${file}.mjs`))})
        const end = await ${name}(${JSON.stringify(event)}, ${JSON.stringify({ invokedFunctionArn: arnOf(verb) })}).then((answer) => ({ answer }), ({ name, message }) => ({ error: { name, message } }))
        process.stderr.write(JSON.stringify(end))
        process.exit()`
      const env = {
        ...{ ...Object.fromEntries(texts), _HANDLER: handlerOf(verb), LAMBDA_TASK_ROOT: code },
        ...{ AWS_REGION: 'eu-west-1', AWS_ACCESS_KEY_ID: 'A', AWS_SECRET_ACCESS_KEY: 'S', AWS_SESSION_TOKEN: 'T' },
        ...more,
      }
      const words = ['--input-type=module', '--eval', program]
      const { stderr, stdout } = await promisify(execFile)(process.execPath, words, { env, timeout: 60_000 })
      const { answer, error } = JSON.parse(stderr)
      return { answer, error, log: stdout }
    },
  }
}
