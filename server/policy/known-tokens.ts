// Tokens with a known prefix or shape. `secretlint.ts` knows some of them more exactly; these are what it leaves out or takes
// for a placeholder. Services publish the prefixes and lengths, and the rules of gitleaks (gitleaks.toml) list them; keys that
// are public (`pk_live_`) are not among them.

/** Not `\b`, because a token may follow `_`. */
const edge = '(?<![A-Za-z0-9])'

/** Prefixes by how many letters, digits, `_`, `-` or `.` must follow at least, one of them a digit. */
const prefixes: Readonly<Record<number, string>> = {
  12: 'rzp_(?:live|test)_|EZ[AT]K|lsv2_(?:pt|sk)_|sk_(?:live|test)_|rk_(?:live|test)_|cko_sk_|live_sk_',
  16: '(?:sk|rk)[-_]|gl(?:pat|dt|rt|rtr|cbt|ptt|ft|soat|agent|oas|imt|ffct)-|GR1348941|xox[a-z](?:\\.xox[a-z])?-|xapp-|tskey-[a-z]{2,20}-|re_(?=[A-Za-z0-9]{6,10}_)|sgp_|API-(?=[A-Z0-9]{25,})|duffel_(?:test|live)_|CFPAT-|ico-|jsr_|dnkey-',
  20: 'gh[pousr]_|github_pat_|ya29\\.|GOCSPX-|dckr_(?:pat|oat)_|sq0[a-z]{3}-|p8e-|doo_v1_|LTAI|dp\\.(?:pt|st|ct|sa|scim|audit)\\.|fio-u-|pscale_(?:tkn|pw|oauth)_|sntr(?:ys|yu|ya)_|shippo_(?:live|test)_|tvly-|fw_|pplx-|rnd_|napi_|nfp_|NRAK-|NRII-|NRJS-|sq[upa]_|sb_secret_|CCIPAT_|CCIPRJ_|bkua_|ATBB|tgp_v1_|pcsk_|live_pub_|rdme_|vcp_|vca_|pnu_|FLWSECK(?:_TEST)?-|shr?pss_|nvapi-|apify_api_|lf_sk_|oy2(?=[a-z0-9]{40})|tk-us-|AQVN|y0_|t1\\.9|mfa\\.|ops_eyJ|glc_eyJ|A3-(?=[A-Z0-9]{6}-)|ABSK|CLOJARS_|HRKU-|sm_aat_|EAA(?=[A-Za-z0-9]{60})|EAAA(?=[\\w-]{56})|AKCp|cmVmd|dt0[a-z]\\d\\d\\.|xkeysib-|xsmtpsib-|PMAK-|ATATT3|ATCTT3|ATSTT3|sbp_|gsk_|xai-|r8_|api_org_|AQE(?=[A-Za-z0-9+/]{60})|pat(?=[A-Za-z0-9]{14}\\.)|access-(?:sandbox|development|production)-|[su]-s4t2(?:ud|af)-',
  24: 'lin_(?:api|oauth)_|ntn_|secret_(?=[A-Za-z0-9]{40})|fig[duo]_|glsa_|dapi(?=[a-f0-9]{32})|ph[cx]_|pul-|rubygems_|tfp_|hv[sbr]\\.|fo1_',
  30: 'AIza|1//0|npm_|pypi-|hf_|do[pr]_v1_|shp(?:at|ca|pa|ss|tka)_|fm\\d_',
}

const body = '[A-Za-z0-9_.-]'

/** The whole match is the secret. Every quantifier has an upper bound or ends with what it cannot match itself. */
const shapes: readonly string[] = [
  String.raw`AGE-SECRET-KEY-1[0-9A-Z]{20,}`,
  String.raw`eyJ[A-Za-z0-9_-]{8,300}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*){0,3}`,
  String.raw`[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}`,
  String.raw`(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])`,
  String.raw`SG\.[A-Za-z0-9_-]{16,100}\.[A-Za-z0-9_-]{16,}`,
  String.raw`(?:key|pubkey)-[a-f0-9]{32}(?![A-Za-z0-9])`,
  String.raw`SK[a-f0-9]{32}(?![A-Za-z0-9])`,
  // Telegram, also behind `/bot`; Firebase's older keys.
  String.raw`(?:bot)?\d{8,10}:[A-Za-z0-9_-]{35}(?![A-Za-z0-9])`,
  String.raw`AAAA[A-Za-z0-9_-]{7}:APA91b[A-Za-z0-9_-]{40,}`,
  // Mailchimp's, with its data centre.
  String.raw`[a-f0-9]{32}-us\d{1,2}(?![A-Za-z0-9])`,
  // ClickUp's personal ones.
  String.raw`pk_\d{4,12}_[A-Z0-9]{24,}`,
  // Microsoft Entra.
  String.raw`[A-Za-z0-9_~.]{3}\dQ~[A-Za-z0-9_~.-]{31,34}`,
  // Storage, search and functions of Azure end so.
  String.raw`[A-Za-z0-9+/]{76}\+AStA?[A-Za-z0-9+/]{4,5}==`,
  String.raw`[A-Za-z0-9_-]{44}AzFu[A-Za-z0-9_-]{5}[AQgw]==`,
  // Extended private keys (BIP 32).
  String.raw`[xyzt]prv[1-9A-HJ-NP-Za-km-z]{100,112}`,
  // Rust's registry; tokens to join a cluster or a swarm.
  String.raw`cio[A-Za-z0-9]{32}(?![A-Za-z0-9])`,
  String.raw`SWMTKN-1-[a-z0-9]{40,60}-[a-z0-9]{20,30}`,
  String.raw`sha256~[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])`,
  String.raw`[a-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{40,}`,
  String.raw`whsec_[A-Za-z0-9+/=_-]{16,}`,
  // Asana's, with its numbers; Nostr's; Bitcoin's for export.
  String.raw`(?<![Tt]ask )[0-2]/\d{12,20}(?:/\d{10,20})?:[a-f0-9]{32}(?![A-Za-z0-9])`,
  String.raw`nsec1[a-z0-9]{58}(?![a-z0-9])`,
  String.raw`[5KL](?=[A-Z0-9]{0,50}[a-z])(?=[a-z0-9]{0,50}[A-Z])[A-Za-z0-9]{50,51}(?![A-Za-z0-9])`,
  // Our own tickets.
  String.raw`cs1_[0-9a-z]{26}(?![A-Za-z0-9])`,
]

const prefixed = Object.entries(prefixes).map(
  ([length, names]) => String.raw`(?:${names})(?=${body}{0,40}\d)${body}{${length},}`,
)

/** Matches every such token. */
export const knownTokens = new RegExp(`${edge}(?:${[...shapes, ...prefixed].join('|')})`, 'g')
