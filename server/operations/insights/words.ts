// Words of a text in any script, and lists of words that mean nothing in a rationale: function words, words of asking and
// doing that fit every call, and fillers. The lists cover the languages of the cards; in others every word counts, so a
// text is judged too kindly there rather than too harshly.

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u
const segmenter = new Intl.Segmenter('ja', { granularity: 'word' })

/** Words in lower case, without digits; scripts without blanks between words are cut by ICU's segmenter. */
export function wordsOf(text: string): readonly string[] {
  const plain = text.normalize('NFKC').toLowerCase().replace(contractions, '')
  const words = plain.match(/[\p{L}\p{M}]+/gu) ?? []
  return words.flatMap((word) =>
    unspaced.test(word)
      ? [...segmenter.segment(word)].filter((part) => part.isWordLike === true).map((part) => part.segment)
      : [word],
  )
}

const contractions = /['’](?:s|t|re|ll|ve|d|m)\b/g

/** One stem for the usual forms of a word: `creates`, `creating` and `created`, `orders` and `order`. */
export function stemOf(word: string): string {
  if (unspaced.test(word)) return word
  const bare = word.normalize('NFD').replace(/\p{M}/gu, '')
  for (const ending of endings)
    if (bare.length - ending.length >= 3 && bare.endsWith(ending)) return undoubled(bare.slice(0, -ending.length))
  return bare
}

const endings = 'ations ation ieren iert ings ing ung ies ied es ed er en e y s'.split(' ')

const undoubled = (stem: string): string => (/([bdgmnprt])\1$/.test(stem) && stem.length > 3 ? stem.slice(0, -1) : stem)

const stems = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/).map(stemOf))

/** Function words: articles, pronouns, prepositions, auxiliaries. */
export const smallWords = stems(`
  a an the this that these those it its he she they them his her their we us our i me my you your who which what where
  when how and or but if then than so as at by for from in into of on onto out over to under up with without within is
  are was were be been being am do does did done has have had having will would shall should can could may might must
  not no yes also again still only just now here there all any some each every both more most very too about via per
  one two three four five six seven eight nine ten first second third new
  der die das den dem des ein eine einen einem einer und oder aber wenn dann als so an bei von vom im in ins auf aus mit
  ohne zu zum zur ist sind war waren wird werden wurde wurden hat haben hatte nicht kein keine auch noch nur schon hier
  sich er sie es wir ihr ich du mich mir uns sein seine ihre dieser diese dieses für über um nach
  le la les un une des du de d l et ou mais si que qui ce cette ces il elle ils elles on nous vous je tu son sa ses leur
  est sont était été a ont avait pas ne en dans sur par pour avec sans au aux se y plus
  el la los las un una unos unas y o pero si que quien este esta estos estas lo le les se su sus es son era fue ha han
  no en de del al a por para con sin sobre más ya
  في من على إلى عن أن هذا هذه هو هي التي الذي مع أو ثم قد كان`)

/** Words that fit every call: somebody in general, that something is asked for or done, and fillers. */
export const emptyWords = stems(`
  user users person people human agent assistant ai bot llm model operator someone somebody anybody
  request requested requests ask asked asking want wanted wants wish need needed needs require required requires
  requirement demand told instruct instructed instruction prompt necessary please thanks
  task tasks step steps next action actions operation operations tool tools call calls calling function method api
  endpoint command job workflow flow process processing handle perform performing execute executing execution run
  running invoke invoking use using used usage proceed continue complete completing completion finish fulfill carry
  make making do doing go going get getting let try trying help helping take taking start begin provide provided given
  specified following above below mentioned described conversation chat message session context
  data information info details detail item items thing things stuff something anything everything value values
  field fields parameter parameters argument arguments input output result results response system server database
  reason rationale purpose goal objective justification explanation because therefore order ordered
  correct proper properly appropriate valid relevant accordingly successful successfully current currently able
  test tests testing tested example sample demo dummy placeholder foo bar baz qux blah lorem ipsum dolor sit amet todo
  tbd none null undefined na asdf qwerty qwer xxx zzz etc okay ok
  benutzer nutzer nutzerin mensch anfrage bitte bittet gebeten möchte will wollte wünscht gewünscht verlangt soll muss
  nötig notwendig erforderlich aufgabe schritt nächster aktion vorgang werkzeug aufruf aufrufen ausführen durchführen
  verwenden weiter fortfahren erledigen daten angaben information ergebnis grund begründung weil damit denn
  utilisateur demande demandé demander veut besoin nécessaire tâche étape suivante action opération outil appel appeler
  exécuter effectuer utiliser continuer terminer données informations résultat raison parce car afin
  usuario pide pidió solicita solicitó solicitado quiere necesita necesario tarea paso siguiente acción operación
  herramienta llamar llamada ejecutar realizar usar continuar completar datos información resultado razón porque
  ユーザー ユーザ 依頼 要求 必要 作業 タスク 手順 実行 処理 操作 ツール 呼び出す 呼び出し 使用 続行 完了 データ 情報 結果 理由 ため
  する ます です した して いる こと もの よう から ので より まし ませ
  المستخدم طلب يطلب يريد يحتاج مطلوب مهمة خطوة أداة استدعاء تنفيذ بيانات معلومات نتيجة سبب لأن`)

/** Words for what tools do; in a rationale they repeat the call. */
export const doingWords = stems(`
  create creation creating add adding insert make update updating change changing modify modification edit editing set
  setting correct correction adjust delete deletion deleting remove removal drop cancel erase get list listing read
  reading fetch fetching look lookup show showing display retrieve retrieving retrieval search searching find finding
  query querying check checking view open load send sending submit post write writing save store apply applying preview
  previewing confirm move copy rename upload download
  anlegen erstellen erstellt hinzufügen ändern geändert bearbeiten aktualisieren löschen gelöscht entfernen abrufen
  lesen auflisten anzeigen suchen finden prüfen senden schicken speichern
  créer création ajouter modifier modification mettre jour supprimer suppression lire lister afficher chercher vérifier
  envoyer enregistrer récupérer
  crear añadir modificar cambiar actualizar eliminar borrar leer listar mostrar buscar verificar enviar guardar obtener
  作成 追加 更新 変更 編集 削除 取得 表示 検索 確認 送信 保存 一覧
  إنشاء إضافة تعديل تحديث حذف قراءة عرض بحث إرسال حفظ`)

/** Sources of a reason. They mean something even where the call has a field of that name. */
export const sourceWords = stems(`
  customer customers client clients buyer supplier suppliers vendor partner manager boss colleague team accounting
  accountant auditor finance legal warehouse support phone telephone email mail letter meeting ticket invoice contract
  kunde kundin kunden lieferant lieferantin chef chefin kollege kollegin buchhaltung lager telefon telefonisch brief
  fournisseur chef collègue comptabilité entrepôt téléphone courriel lettre réunion facture contrat
  cliente proveedor jefe jefa colega contabilidad almacén teléfono correo carta reunión factura contrato
  顧客 お客様 客 取引先 上司 経理 倉庫 電話 メール 請求書 契約`)

/** Signs that a cause, an aim or a source follows. */
export const becauseWords = new RegExp(
  [
    String.raw`\b(?:because|since|so that|so|due|owing|after|before|until|unless|otherwise|whether|instead|according|per|as)\b`,
    String.raw`\b(?:to|asked|asks|told|tells|called|phoned|wrote|e-?mailed|mailed|reported|reports|complained|complains|requested|requests|confirmed|agreed|approved|said|says|wants|wanted|needs|noticed|found|missed|promised|decided|expects|cancell?ed)\b`,
    String.raw`\b(?:weil|da|damit|denn|sodass|um|nachdem|bevor|wegen|laut|obwohl|bittet|gebeten|wünscht|meldet|gemeldet|meldete|angerufen|schrieb|sagt|sagte|möchte|will|braucht|storniert)\b`,
    String.raw`\b(?:parce|car|puisque|afin|pour|après|avant|suite|selon|demandé|demande|signalé|signale|appelé|écrit|dit|veut|souhaite|annulé)\b`,
    String.raw`\b(?:porque|pues|ya que|para|después|antes|según|debido|pidió|pide|solicitó|llamó|escribió|dijo|quiere|necesita|canceló)\b`,
    'ため|ので|から|により|によると|依頼|連絡|لأن|بسبب|بعد|قبل|طلب|حتى',
  ].join('|'),
  'iu',
)

const vowel = /[aeiouyáàâäéèêëíìîïóòôöúùûüœæøå]/i

/** Whether a word is only keys pressed at random. */
export const isMash = (word: string): boolean =>
  /^[\p{Script=Latin}]{4,}$/u.test(word) &&
  (!vowel.test(word) || /[^aeiouyáàâäéèêëíìîïóòôöúùûü]{6,}|(.)\1{3,}/i.test(word))
