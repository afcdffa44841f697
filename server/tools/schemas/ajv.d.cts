import type * as ajv from 'ajv/dist/2020.js'
import type addFormats from 'ajv-formats'
import type names from 'ajv/dist/compile/names.js'
import type { mergeEvaluated } from 'ajv/dist/compile/util.js'
import type { callValidateCode } from 'ajv/dist/vocabularies/code.js'

interface Parts {
  readonly Ajv2020: typeof ajv.Ajv2020
  readonly _: typeof ajv._
  readonly Name: typeof ajv.Name
  readonly nil: typeof ajv.nil
  readonly addFormats: typeof addFormats.default
  readonly names: typeof names.default
  readonly mergeEvaluated: typeof mergeEvaluated
  readonly callValidateCode: typeof callValidateCode
}

declare function loadAjv(): Parts
export = loadAjv
