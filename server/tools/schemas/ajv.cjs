// CommonJS, because a schema is checked where its tool is declared, which cannot wait for `import()`.
let parts

/** Loads Ajv, with the parts of it that extend it, with the first call: most programs have schemas of Zod alone. */
module.exports = () =>
  (parts ??= {
    ...require('ajv/dist/2020.js'),
    addFormats: require('ajv-formats').default,
    names: require('ajv/dist/compile/names.js').default,
    mergeEvaluated: require('ajv/dist/compile/util.js').mergeEvaluated,
    callValidateCode: require('ajv/dist/vocabularies/code.js').callValidateCode,
  })
