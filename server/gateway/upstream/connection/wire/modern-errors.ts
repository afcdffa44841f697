// Errors of the SDK's second generation as those of the first, which is what reads how a request ended.
import { McpError } from '@modelcontextprotocol/sdk/types.js'
import { codes, BadAnswer } from '../call-failure.ts'
import type { ModernSdk } from './modern-sdk.ts'

/** The same error, in the words of the first generation; anything else as it is. */
export function asOlderError(error: unknown, { ProtocolError, SdkError, SdkHttpError }: ModernSdk): unknown {
  if (error instanceof ProtocolError) return new McpError(error.code, error.message, error.data)
  if (error instanceof SdkHttpError)
    return Object.assign(new Error(error.message, { cause: error }), { code: error.status })
  if (!(error instanceof SdkError)) return error
  switch (error.code as string) {
    case 'CONNECTION_CLOSED':
      return new McpError(codes.closed, 'Connection closed')
    case 'REQUEST_TIMEOUT':
      return new McpError(codes.timedOut, 'Request timed out')
    case 'NOT_CONNECTED':
      return new Error('Not connected', { cause: error })
    case 'INVALID_RESULT':
    case 'UNSUPPORTED_RESULT_TYPE':
      return new BadAnswer(error.message)
    default:
      return error
  }
}
