/** A part of every answer of DynamoDB. The journal's store asks for it, and rejects an answer without it. */
export const USED = { ConsumedCapacity: { TableName: 'journal', CapacityUnits: 0.5 } }
