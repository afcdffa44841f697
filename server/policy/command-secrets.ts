// Secrets that a program takes without naming them: `curl -u ada:…`, `mysql -p…`, `IDENTIFIED BY '…'`. What is hidden is
// the last thing that a pattern matches.
import { isValue, type Looked, type Span } from './secret-values.ts'

/** Group 1 is the secret. All quantifiers are bounded, and none follows another over the same characters. */
const commands: readonly RegExp[] = [
  /\b(?:curl|http|https|wget)\b[^\n;|]{0,300}?[\s"'](?:-u|--user|--proxy-user)[\s"',=]{0,6}[^\s:"',=]{1,80}:([^\s"',]{1,300})/dg,
  /\b(?:mysql|mysqldump|mysqladmin|mysqlimport|mysqlshow|mariadb|mariadb-dump)\b[^\n;|]{0,300}?[\s"']-p([^\s"',]{2,300})/dg,
  /\bsshpass\b[\s"',]{1,6}-p[\s"',]{0,6}(?:(?<=')([^'\n]{1,300})|(?<=")([^"\n]{1,300})|([^\s"',]{1,300}))/dg,
  /\b(?:docker|podman|helm|az|oc|skopeo|buildah)\b[^\n;|]{0,200}?\blogin\b[^\n;|]{0,200}?[\s"']-p[\s"',=]{1,6}([^\s"',-][^\s"',]{0,300})/dg,
  /\bredis-cli\b[^\n;|]{0,200}?[\s"']-a[\s"',]{1,6}([^\s"',]{1,300})/dg,
  /\b(?:ldapsearch|ldapmodify|ldapadd|7z|zip|unzip|smbclient)\b[^\n;|]{0,200}?[\s"']-[wP][\s"',]{1,6}([^\s"',-][^\s"',]{0,300})/dg,
  /[\s"']-pass(?:in|out)?[\s"',]{1,6}pass:([^\s"',]{1,300})/dg,
  /\bidentified\s{1,4}(?:with\s{1,4}\S{1,60}\s{1,4})?by\s{1,4}(?:password\s{1,4})?'([^'\n]{1,300})'/dgi,
  /\bset\s{1,4}password\s{1,4}for\s{1,4}\S{1,120}?\s{0,4}=\s{0,4}(?:password\()?'([^'\n]{1,300})'/dgi,
]

const words =
  /\b(?:curl|https?|wget|mysql|mariadb|sshpass|login|redis-cli|ldap|7z|zip|smbclient|pass|passin|passout|identified|password)/i

/** Everything that a command line or a statement gives away. */
export function commandSecrets({ shown }: Looked): readonly Span[] {
  if (!words.test(shown)) return []
  return commands.flatMap((pattern) =>
    [...shown.matchAll(pattern)].flatMap((hit) => {
      const at = (hit.indices ?? []).slice(1).find((each) => each !== undefined)
      return at !== undefined && isValue(shown.slice(at[0], at[1])) ? [{ start: at[0], end: at[1] }] : []
    }),
  )
}
