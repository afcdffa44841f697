// Patterns of what may stand between the name of a secret and its value. All are sticky, because they are tried only where a
// name ends. Every quantifier is bounded.

/** Markup and remarks between a name and the sign behind it: `**Password:**`, `password (prod) =`. */
const closes = String.raw`(?:[ ]\d{1,2}(?=[:=])|[ \t]{0,20}["'\x60*_~\])]{1,4}|[ \t]{1,4}[([][^()[\]\n:=]{1,40}[)\]])?`
// In the readable text an escaped quote is blanks and a quote.
export const assigned = new RegExp(
  String.raw`${closes}[ \t]{0,60}(?::=|=>|->|→|[:：＝](?![:：=]|[\w-]{1,30}=["'])|[?|+]{0,2}=(?![=>~])|\.{3,60}(?=[ \t]))[ \t]{0,60}(?:[*_~\x60]{1,3}(?=\s|[^*_~\x60\s]{1,200}\x60)[ \t]{0,4})?`,
  'y',
)
/** `: string =`, between a name and its value. */
export const typed =
  /(?:!!(?:str|binary)[ \t]{1,4}|string\(\d{1,5}\)[ \t](?=["'])|(?:&?(?:'static )?[A-Za-z_][\w.<>?|[\]]{0,40}(?: ?\| ?\w{1,20})?[ \t]{1,4}=[ \t]{1,4}(?=["'`])))/y
export const compared = /["'\])]{0,2}[ \t]{0,4}(?:[!=]==?|-eq|eq|\|\||\?\?|or)[ \t]{1,4}(?=["'])/y
/** The default of a variable: `${DB_PASS:-…}`, `${db.password:…}`; behind `:?` comes a message. */
export const standard = /:-?(?![-?+}$])/y
export const closingQuote = /[ \t]{0,20}["']/y
export const optionValue = /(?:[ \t]{0,20}["'][ \t]{0,8},[ \t]{0,20}(?=["'])|[ \t]{1,20})(?!-)/y
export const pairValue = /[ \t]{0,20}["'][ \t]{0,8},[ \t]{0,20}(?=["'])/y
/** A function that takes a name and its value. */
export const setsPair =
  /\b\w{0,30}(?:set|put|define|add|env|header|config|store|item|export|append|insert|property|secret|with)\w{0,20}\([ \t]{0,8}["']$/i

const is = String.raw`(?:is|ist|lautet|war|was|es|fue|est|era|e|é|è|है|to|(?:er|är|wurde|has been|was)[ ]\p{L}{3,12}[ ](?:til|till|to|auf)|är|er|jest|to|je|on|now|sind|are|sono|son|sont|som|είναι|это|=|:|—|–|-|→)`
export const told = new RegExp(
  String.raw`[ \t]{1,3}${is}(?![\p{L}\p{N}])(?:[ ]?:)?[ \t]{1,3}(?:(?:now|jetzt|ahora|nun|le|la|el|il)[ \t]{1,3})?(?:<[a-z]{1,10}>|[*_\x60]{1,2}(?=[^\s*_\x60]))?`,
  'uy',
)
/** German "lautet" is followed by a value only. */
export const toldForSure = /[ \t]{1,3}lautet:?[ \t]{1,3}/y
/** Up to seven words between the name and the verb: "for the router is", "im Besprechungsraum lautet". */
export const toldOf = new RegExp(
  String.raw`(?:[ \t]{1,3}[(\x60"']?[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}.@/_-]|,(?=\d)){0,39}[)\x60"',]?){1,7}?(?:[ \t]{1,3}${is}(?:[ ]?:)?|:)(?![\p{L}\p{N}])[ \t]{1,3}`,
  'uy',
)
export const saidInAsian = /[ \t]{0,2}(?:は|が|是|为|為|即|：|:|は、|는|은|가|이)[ \t「『"“]{0,2}/y
export const changedTo = /[ \t]{1,3}(?:\p{L}{1,12}[ \t]{1,3}){0,3}?(?:from|to|von|auf|zu|de|a|à|en)[ \t]{1,3}/uy
export const sql = /[ \t]{0,3}(?:=[ \t]{0,3})?N?\(?(?=['"])/y
export const besides = /[ \t]{1,3}(?=["'`]\S|\S)/y
export const column = /[ \t]{2,40}(?=\S)|\t{1,4}(?=\S)/y
/** A function that converts a literal: `[]byte("…")`, `SecretStr('…')`; not one that reads the value from elsewhere. */
export const conversion =
  /^(?:new[ ])?(?!\w{0,40}(?:env|get|read|input|prompt|find|lookup|config|require|label|field|query|param|expect|print|log|error|test|match|ref|file|path|translate)|[ti]\()(?:\[\]byte|[A-Za-z_][\w.:]{0,40})\((?=b?["'])/i
export const nestedElement = /[^<>/]{0,200}>\s{0,40}<(?:value|text|string|content)\b[^<>/]{0,100}>(?:<!\[CDATA\[)?/iy
export const element = /[^<>]{0,200}>(?:<!\[CDATA\[)?/y
export const text = /[^<\]]+/y
export const elementClose = /(?:\]\]>)?<\//y
/** The name is the text of an element, and its value that of the next: `<dt>Password</dt><dd>…`. */
export const nextElement = /[^<>\n]{0,20}<\/[\w:-]{1,30}>[\s:]{0,60}(?:<[A-Za-z][^<>/]{0,120}>\s{0,20}){0,3}(?=[^<\s])/y
export const attributeBeside = /["'][^<>]{0,160}?\s(?:value|content|data-value)=/iy
export const attributeBefore =
  /<[a-z][^<>]{0,60}?\s(?:value|content)=["']([^"'<>]{1,300})["'][^<>]{0,100}?(?:name|key|id|type)=["']$/di
export const valueBeside =
  /[ \t]{0,20}["'][ \t]{0,8}[,\n]?\s{0,20}(?:-\s{1,4})?["']?(?:values?|content|data)[ \t]{0,20}["']?[ \t]{0,8}[:=][ \t]{0,20}/iy
export const valueBelow = /[ \t]{0,8}\n[ \t]{0,20}values?:[ \t]{1,8}/iy
export const nameBefore = /(?:name|key|header|field|property)[ \t]{0,20}["']?[ \t]{0,4}[:=][ \t]{0,20}["']?$/i
/** `<property name="db.` */
export const elementOfName =
  /<(?:property|prop|entry|param|parameter|setting|env|variable|option|field|item|data|string|add|attribute|arg)\b[^<>]{0,60}?(?:name|key|id)=["']$/i
export const elementEnd = /["'][^<>]{0,100}>(?:\s{0,20}<value[^<>]{0,40}>)?(?:<!\[CDATA\[)?/y
export const blockDefault = /["'][ \t]{0,4}\{[^{}]{0,200}?\bdefault[ \t]{0,20}=[ \t]{0,8}/y
export const formPart = /["'](?:;[^\n]{0,100})?\r?\n(?:[A-Z][\w-]{1,30}:[^\n]{0,100}\r?\n){0,3}\r?\n(?=\S)/y
/** The rest of a line with a name of a secret, and the beginning of the next line that is not empty. */
export const lineBelow = /[^\n]{0,120}(?:\n[ \t>|*-]{0,12}(?:\d{1,2}[.)] )?){1,3}(?=[^\s])/y
export const nothingLeft = /[^\n]{0,60}:[ \t]{0,8}(?:\n[ \t>|*-]{0,12}(?:\d{1,2}[.)] )?){1,3}(?=[^\s])/y
export const aloneOnLine = /(\S{5,300})[ \t]{0,8}(?:\n|$)/y
