// Secrets that a program takes without naming them: `curl -u ada:…`, `mysql -p…`, `IDENTIFIED BY '…'`. What is hidden is
// the last thing that a pattern matches.
import { groupSpans, isValue, type Looked, type Span } from './secret-values.ts'

/** Group 1 is the secret. All quantifiers are bounded, and none follows another over the same characters. */
const commands: readonly RegExp[] = [
  /\b(?:curl|http|https|wget)\b[^\n;|]{0,300}?[\s"'](?:-u|--user|--proxy-user)[\s"',=]{0,6}[^\s:"',=]{1,80}:([^\s"',]{1,300})/dg,
  /\b(?:mysql|mysqldump|mysqladmin|mysqlimport|mysqlshow|mariadb|mariadb-dump)\b[^\n;|]{0,300}?[\s"']-p([^\s"',]{2,300})/dg,
  /\bsshpass\b[\s"',]{1,6}-p[\s"',]{0,6}(?:(?<=')([^'\n]{1,300})|(?<=")([^"\n]{1,300})|([^\s"',]{1,300}))/dg,
  /\b(?:docker|podman|helm|az|oc|skopeo|buildah)\b[^\n;|]{0,200}?\blogin\b[^\n;|]{0,200}?[\s"']-p[\s"',=]{1,6}([^\s"',-][^\s"',]{0,300})/dg,
  /\bredis-cli\b[^\n;|]{0,200}?[\s"']-a[\s"',]{1,6}([^\s"',]{1,300})/dg,
  /\b(?:ldapsearch|ldapmodify|ldapadd|7z|zip|unzip|smbclient)\b[^\n;|]{0,200}?[\s"']-[wP][\s"',]{1,6}([^\s"',-][^\s"',]{0,300})/dg,
  // What is written into a program that reads a password.
  /\b(?:echo|printf)[ \t](?:-n[ \t]{1,4}|["']%s\s{0,2}["'][ \t]{1,4})?["']?([^\n|"']{1,200})["']?[ \t]{0,3}\|[^\n|]{0,200}?(?:--password-stdin|--with-token|\bchpasswd\b|\bpasswd --stdin)/dg,
  /\b(?:machine\s{1,4}[^\s]{1,200}|default)\s{1,8}login\s{1,4}[^\s]{1,200}\s{1,8}password\s{1,4}([^\s]{1,300})/dg,
  /\bsmbclient\b[^\n;|]{0,200}?\s-U[\s"',]{0,6}[^\s%"',]{1,80}%([^\s"',]{1,300})/dg,
  /\b(?:mongosh|mongo|mongodump|mongorestore|mongoexport|mongoimport)\b[^\n;|]{0,200}?[\s"']-p[\s"',]{1,6}([^\s"',-][^\s"',]{0,300})/dg,
  /\b(?:7z[ar]?|rar|unrar)\b[^\n;|]{0,200}?[\s"']-p([^\s"',]{2,300})/dg,
  /\bhtpasswd\s{1,4}-[a-zA-Z]{0,6}b[a-zA-Z]{0,6}\s{1,4}[^\s]{1,200}\s{1,4}[^\s]{1,80}\s{1,4}["']?([^\s"']{1,300})/dg,
  /\bnet\s{1,4}user\s{1,4}[^\s/]{1,80}\s{1,4}([^\s/*][^\s]{0,200})\s{1,4}\/[a-z]/dgi,
  /\bnet\s{1,4}use\s[\s\S]{0,120}?\s([^\s/*\\]{1,200})\s{1,4}\/user:/dgi,
  /(?:\b(?:sqlplus|expdp|impdp|sqlldr|rman)\s{1,4}(?:-\w{1,4}\s{1,4})?|\bjdbc:oracle:(?:thin|oci):)[\w$#]{1,60}\/([^\s@/]{1,200})@/dgi,
  /(?:^|[\s"'])(?:-u|--user)[\s"',=]{1,6}[^\s:"',=]{1,80}:([^\s"',]{1,300})[\s"',][^\n]{0,200}?https?:/dg,
  // A browser that types into a field.
  /\.(?:fill|type|set_?value|press_?sequentially|send_?keys)\(\s{0,4}["'`][^"'`\n]{0,80}(?:passw|pwd|secret|token|otp)[^"'`\n]{0,40}["'`]\s{0,4},\s{0,4}["'`]([^"'`\n]{1,200})/dgi,
  /(?:passw|pwd|secret|token|otp)[^\n()]{0,40}\)\.(?:fill|type|set_?value|press_?sequentially|send_?keys)\(\s{0,4}["'`]([^"'`\n]{1,200})/dgi,
  /[\s"']-pass(?:in|out)?[\s"',]{1,6}pass:([^\s"',]{1,300})/dg,
  /\bidentified\s{1,4}(?:with\s{1,4}\S{1,60}\s{1,4})?by\s{1,4}(?:password\s{1,4})?'([^'\n]{1,300})'/dgi,
  /\bset\s{1,4}password\s{1,4}for\s{1,4}\S{1,120}?\s{0,4}=\s{0,4}(?:password\()?'([^'\n]{1,300})'/dgi,
]

const words =
  /\b(?:curl|https?|wget|mysql|mariadb|sshpass|login|redis-cli|ldap|7z|zip|rar|smbclient|pass|passin|passout|identified|password|mongo|net|htpasswd|chpasswd|sqlplus|expdp|impdp|sqlldr|rman|jdbc|user)|-u\b|passw|pwd|--with-token|secret|token|otp/i

/** Everything that a command line or a statement gives away. */
export function commandSecrets({ shown }: Looked): readonly Span[] {
  if (!words.test(shown)) return []
  return commands
    .flatMap((pattern) => groupSpans(shown, pattern))
    .filter(({ start, end }) => isValue(shown.slice(start, end)))
}
