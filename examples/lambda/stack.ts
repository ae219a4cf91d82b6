// A function that buys what an invoice needs.
import type { Sluice } from '@sluice/infra'
import { Stack, type StackProps } from 'aws-cdk-lib'
import type { Construct } from 'constructs'
import { ExampleFunction } from '../example-function.js'

export const BUYER = 'example-buyer'

export class LambdaExample extends Stack {
  constructor(scope: Construct, id: string, { sluice, ...props }: StackProps & { readonly sluice: Sluice }) {
    super(scope, id, props)
    const buyer = new ExampleFunction(this, 'Buyer', {
      functionName: BUYER,
      entry: `${__dirname}/buy.ts`,
    })
    sluice.grantConvert(buyer)
  }
}
