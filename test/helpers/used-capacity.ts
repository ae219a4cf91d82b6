/** What every answer of DynamoDB has: the journal's store asks for it, and takes no answer without it for one. */
export const USED = { ConsumedCapacity: { TableName: 'journal', CapacityUnits: 0.5 } }
