// Which mechanical edit belongs to which rule. An edit is offered only where the text says what is meant: a wrong one costs
// the agent a run. `npm run bench -- guidance` says how many of those that are offered mend their program.
import { plainCharacters } from './characters.ts'
import * as javascript from './javascript.ts'
import * as javascriptNames from './javascript-names.ts'
import * as javascriptSyntax from './javascript-syntax.ts'
import type { Edits, Mistake } from './mistake.ts'
import * as data from './python-data.ts'
import * as forms from './python-forms.ts'
import * as layout from './python-layout.ts'
import * as names from './python-names.ts'
import * as operators from './python-operators.ts'
import * as syntax from './python-syntax.ts'
import * as values from './python-values.ts'

type Maker = (mistake: Mistake) => Edits

const makers = {
  'python-name': names.pythonName,
  'python-global': names.pythonGlobal,
  'python-module': names.pythonModule,
  'python-export': names.pythonExport,
  'python-attribute': names.pythonAttribute,
  'python-key': names.pythonKey,
  'python-module-call': names.pythonModuleCall,
  'python-self': names.pythonSelf,
  'python-keyword': names.pythonKeyword,
  'python-in-place': names.pythonInPlace,
  'python-colon': syntax.pythonColon,
  'python-parameters': syntax.pythonParameters,
  'python-close-bracket': syntax.pythonCloseBracket,
  'python-unmatched-bracket': syntax.pythonUnmatchedBracket,
  'python-close-string': syntax.pythonCloseString,
  'python-f-string': syntax.pythonFString,
  'python-equals': syntax.pythonEquals,
  'python-print': forms.pythonPrint,
  'python-character': plainCharacters,
  'python-number': forms.pythonNumber,
  'python-raw-text': forms.pythonRawText,
  'python-return': forms.pythonReturn,
  'python-except-list': forms.pythonExceptList,
  'python-import-form': forms.pythonImportForm,
  'python-comprehension': forms.pythonComprehension,
  'python-argument-order': forms.pythonArgumentOrder,
  'python-comma': layout.pythonComma,
  'python-tabs': layout.pythonTabs,
  'python-missing-block': layout.pythonMissingBlock,
  'python-indent': layout.pythonIndent,
  'python-except-typo': layout.pythonExceptTypo,
  'python-invalid-syntax': layout.pythonInvalidSyntax,
  'python-range': values.pythonRange,
  'python-index-to-call': values.pythonIndexToCall,
  'python-call-to-index': values.pythonCallToIndex,
  'python-index-type': operators.pythonIndexType,
  'python-text-plus-number': operators.pythonTextPlusNumber,
  'python-operand': operators.pythonOperand,
  'python-unhashable': values.pythonUnhashable,
  'python-length': values.pythonLength,
  'python-json-default': values.pythonJsonDefault,
  'python-default': values.pythonDefault,
  'python-next-default': values.pythonNextDefault,
  'python-int-of-float': values.pythonIntOfFloat,
  'python-float-comma': values.pythonFloatComma,
  'python-range-end': values.pythonRangeEnd,
  'python-items': values.pythonItems,
  'python-copy-in-loop': values.pythonCopyInLoop,
  'python-find': values.pythonFind,
  'python-decode': data.pythonDecode,
  'python-encode': data.pythonEncode,
  'python-date-format': data.pythonDateFormat,
  'python-path': data.pythonPath,
  'python-file-name': data.pythonFileName,
  'python-exist-ok': data.pythonExistOk,
  'python-file-mode': data.pythonFileMode,
  'python-bytes': data.pythonBytes,
  'python-escape-pattern': data.pythonEscapePattern,
  'json-text': data.jsonText,
  'javascript-name': javascriptNames.javascriptName,
  'javascript-host-api': javascriptNames.javascriptHostApi,
  'javascript-module': javascript.javascriptModule,
  'javascript-super': javascript.javascriptSuper,
  'javascript-optional': javascript.javascriptOptional,
  'javascript-destructuring': javascript.javascriptDestructuring,
  'javascript-new': javascript.javascriptNew,
  'javascript-method': javascriptNames.javascriptMethod,
  'javascript-entries': javascript.javascriptEntries,
  'javascript-let': javascript.javascriptLet,
  'javascript-bigint': javascript.javascriptBigint,
  'javascript-reduce': javascript.javascriptReduce,
  'javascript-in-text': javascript.javascriptInText,
  'javascript-path': javascript.javascriptPath,
  'javascript-file-name': javascript.javascriptFileName,
  'javascript-redeclared': javascript.javascriptRedeclared,
  'javascript-const-value': javascript.javascriptConstValue,
  'javascript-return': javascript.javascriptReturn,
  'javascript-character': plainCharacters,
  'javascript-close-bracket': javascriptSyntax.javascriptCloseBracket,
  'javascript-unmatched-bracket': javascriptSyntax.javascriptUnmatchedBracket,
  'javascript-close-string': javascriptSyntax.javascriptCloseString,
  'javascript-compare': javascriptSyntax.javascriptCompare,
  'javascript-expecting': javascriptSyntax.javascriptExpecting,
  'javascript-token': javascriptSyntax.javascriptToken,
} satisfies Readonly<Record<string, Maker>>

export type EditName = keyof typeof makers

/** The edits that mend the program, or none where nothing mechanical is likely to. */
export const editsFor = (name: EditName, mistake: Mistake): Edits => makers[name](mistake)
