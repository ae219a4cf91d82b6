// Compares the list of gaps in regions with the schemas of CloudFormation Validate, which comes with the CDK. It fails
// when AWS brings a type to a region, or when a template gets a type that some region lacks.
import { createRequire } from 'node:module'
import { RegionInfo } from 'aws-cdk-lib/region-info'
import { expect, test } from 'vitest'
import { PERHAPS_WITHOUT_FUNCTION_URLS, WITHOUT_FUNCTION_URLS } from '../../operations/doctor/before-deploy/place.ts'
import { synthesizeTemplates } from './assembly.ts'
import { largestTreasury } from './largest-treasury.ts'

/** The used part of the package, whose types are not at hand. */
interface CloudFormationValidate {
  readonly TemplateContent: new (text: string, name: string) => object
  readonly SchemaValidator: new () => {
    validate(template: object, region: string): { readonly ruleId: string; readonly message: string }[]
    free(): void
  }
}
const ofTheCdk = createRequire(createRequire(import.meta.url).resolve('aws-cdk-lib/package.json'))
const { SchemaValidator, TemplateContent }: CloudFormationValidate = ofTheCdk('@aws/cloudformation-validate')

/** "Resource type ... does not exist in ...". */
const NO_SUCH_TYPE = 'F3006'

test('the listed regions are exactly those that lack a type of ours', () => {
  const templates = synthesizeTemplates(largestTreasury('sns'))
  const types = new Set(
    Object.values(templates).flatMap((template) =>
      Object.values(template.toJSON().Resources as Record<string, { Type: string }>).map(({ Type }) => Type),
    ),
  )
  const oneOfEach = new TemplateContent(
    JSON.stringify({ Resources: Object.fromEntries([...types].map((Type, at) => [`R${at}`, { Type }])) }),
    'types.json',
  )
  const validator = new SchemaValidator()
  const regions = RegionInfo.regions.map(({ name }) => name)
  const lacking = regions.flatMap((region) =>
    validator.validate(oneOfEach, region).flatMap(({ message, ruleId }) => (ruleId === NO_SUCH_TYPE ? [message] : [])),
  )
  validator.free()
  expect(types).toContain('AWS::Lambda::Url')
  expect(lacking.sort()).toEqual(
    WITHOUT_FUNCTION_URLS.map((region) => `Resource type 'AWS::Lambda::Url' does not exist in '${region}'`).sort(),
  )
  expect(regions).toEqual(expect.arrayContaining([...PERHAPS_WITHOUT_FUNCTION_URLS]))
})
