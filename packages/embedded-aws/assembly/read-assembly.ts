// Reads a CDK cloud assembly: its stacks with their templates, and the folders of its assets. Never writes to it.
// Source: cloud-assembly-schema (manifest.json, <stack>.assets.json).
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { Refusal } from '../aws-error.ts'
import { Fields, isObject } from '../fields.ts'

/** The account and region of an assembly that does not name them. */
const ANY_ACCOUNT = '123456789012'
const ANY_REGION = 'us-east-1'

export interface Stack {
  readonly name: string
  readonly account: string
  readonly region: string
  readonly template: Template
}

export interface Template {
  readonly parameters: Readonly<Record<string, unknown>>
  readonly resources: Readonly<Record<string, TemplateResource>>
  readonly outputs: Readonly<Record<string, unknown>>
}

export interface TemplateResource {
  readonly type: string
  readonly properties: unknown
  /** `aws:cdk:path`, or `<stack>/<logical id>` when the template has no path. */
  readonly path: string
  /** Set when a condition decides whether the resource is created. */
  readonly condition: string | undefined
}

export interface Assembly {
  readonly stacks: readonly Stack[]
  /** Unzipped folders of file assets, by the object key in templates. */
  readonly assetDirs: ReadonlyMap<string, string>
}

/** Throws Refusal when the directory holds no readable assembly. */
export function readAssembly(assemblyDir: string): Assembly {
  const root = path.resolve(assemblyDir)
  const manifest = readJson(path.join(root, 'manifest.json'))
  const artifacts = new Fields(manifest, path.join(root, 'manifest.json')).object('artifacts')
  const stacks: Stack[] = []
  const assetDirs = new Map<string, string>()
  for (const id of artifacts.names()) {
    const artifact = artifacts.object(id)
    const type = artifact.text('type')
    if (type === 'cdk:cloud-assembly') throw new Refusal(artifact.where, 'a stage within the app is not supported')
    if (type === 'aws:cloudformation:stack') stacks.push(readStack(root, id, artifact))
    if (type === 'cdk:asset-manifest') {
      const file = artifact.object('properties').text('file')
      for (const [key, directory] of readAssets(root, file)) assetDirs.set(key, directory)
    }
  }
  if (stacks.length === 0) throw new Refusal(root, 'the assembly has no stack')
  return { stacks, assetDirs }
}

function readStack(root: string, id: string, artifact: Fields): Stack {
  const properties = artifact.object('properties')
  const name = properties.findText('stackName') ?? id
  const [, account = '', region = ''] = /^aws:\/\/([^/]+)\/(.+)$/.exec(artifact.text('environment')) ?? []
  const file = path.join(root, properties.text('templateFile'))
  return {
    name,
    account: account === 'unknown-account' ? ANY_ACCOUNT : account,
    region: region === 'unknown-region' ? ANY_REGION : region,
    template: readTemplate(readJson(file), name),
  }
}

function readTemplate(value: unknown, stack: string): Template {
  const fields = new Fields(value, stack)
  // Rules check the deployment itself. Conditions matter only where a resource names one, which is refused there.
  fields.ignore(['AWSTemplateFormatVersion', 'Description', 'Metadata', 'Rules', 'Conditions', 'Mappings'])
  const section = (name: string) => {
    const content = fields.raw(name) ?? {}
    if (isObject(content)) return content
    throw fields.refuse(name, 'must be an object')
  }
  const resources = Object.entries(section('Resources')).map(
    ([logicalId, resource]) => [logicalId, readResource(resource, `${stack}/${logicalId}`)] as const,
  )
  const template = {
    parameters: section('Parameters'),
    outputs: section('Outputs'),
    resources: Object.fromEntries(resources),
  }
  fields.close()
  return template
}

function readResource(value: unknown, where: string): TemplateResource {
  const fields = new Fields(value, where)
  fields.ignore(['DependsOn', 'DeletionPolicy', 'UpdateReplacePolicy', 'UpdatePolicy', 'CreationPolicy'])
  const metadata = fields.raw('Metadata')
  const cdkPath = isObject(metadata) ? metadata['aws:cdk:path'] : undefined
  const resource = {
    type: fields.text('Type'),
    properties: fields.raw('Properties') ?? {},
    path: typeof cdkPath === 'string' ? cdkPath : where,
    condition: fields.findText('Condition'),
  }
  fields.close()
  return resource
}

function readAssets(root: string, file: string): readonly (readonly [key: string, directory: string])[] {
  const files = new Fields(readJson(path.join(root, file)), file).raw('files')
  if (!isObject(files)) return []
  return Object.keys(files).flatMap((id) => {
    const asset = new Fields(files[id], `${file}.files.${id}`)
    const source = asset.object('source').findText('path')
    const destinations = asset.object('destinations')
    return source === undefined
      ? []
      : destinations
          .names()
          .map((name) => [destinations.object(name).text('objectKey'), path.join(root, source)] as const)
  })
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new Refusal(file, `cannot be read as JSON (${error instanceof Error ? error.message : 'unknown'})`)
  }
}
