// Which files a run of the tests takes. `npm test` asks each promise of one store, one door, one page and one known server;
// `npm run test:full` asks it of all. `npm run check` takes what needs neither browser nor PostgreSQL, and little time.

/** The unit tests that have to do with the store: they run once more with PostgreSQL in place of a file. */
export const storeTests = [
  'test/server/store/{clocks*,life,logins,pins,processes,store}.test.ts',
  'test/server/store/activity/*.test.ts',
  'test/server/operators/**/*.test.ts',
  'test/server/operations/insights/{api,feedback,feedback-groups}.test.ts',
  'test/server/operations/notify/*.test.ts',
  'test/server/http/auth/*.test.ts',
  'test/server/rail/{apply-in-transaction,model,rail,revise}.test.ts',
  'test/server/demo/orders/{contract,start,failures,reconcile}.test.ts',
  'test/server/toolsets/files/{files,web,links/{links,on-record},uploads/room}.test.ts',
  'test/server/toolsets/mail/{around,quota,bounces/*,campaigns/*,contacts/*,drafts/*,in-plan-transaction,outbox/*,segments/*,send-external/send,templates/tools}.test.ts',
]

/**
 * On PostgreSQL in full runs only. In every run are there what makes a store a store of several machines (plans, the chain,
 * clocks, sessions, applies in one transaction, what several take at once) and who votes on an approval.
 */
export const slowStoreTests = [
  'test/server/store/{clocks-for-days,processes}.test.ts',
  'test/server/store/activity/{anchors,chain-older,chain-order,guidance-figures,later,lost-entries,search,sums,write-batcher}.test.ts',
  'test/server/http/auth/{accounts,https,jwt,limits,oidc,serving,session,tokens}.test.ts',
  'test/server/operations/{insights,notify}/*.test.ts',
  'test/server/operators/{approvals/{deciding,people,records,second-factor},grants/{api,calls,operators}}.test.ts',
  'test/server/demo/orders/{contract,failures,reconcile,start}.test.ts',
  'test/server/rail/revise.test.ts',
  'test/server/toolsets/files/{files,web,links/{links,on-record},uploads/room}.test.ts',
  'test/server/toolsets/mail/{around,quota,bounces/*,campaigns/*,contacts/*,drafts/*,segments/*,send-external/send,templates/tools}.test.ts',
  'test/server/toolsets/mail/outbox/{faults,on-record,outbox,too-large}.test.ts',
]

/**
 * In full runs only. They ask, of a further page, desk, command, known server or machine, what every run asks of a first one:
 * the playground's order desk and its mail, the pages of approvals, one wrapped server and one gateway, one crash and one loss of
 * PostgreSQL. That a host nobody here wrote draws the card and confirms is asked of `@mcp-ui/client` in every run, and of the
 * Inspector, whose own drawing costs ten times as much, in a full one. Clients that need a package of their own (`test/clients`) are
 * installed for full runs alone.
 */
export const slowJourneys = [
  'test/journeys/clients/others.test.ts',
  'test/hosts/{browser,card-access,card-looks,card-picture,card-revision,card-theme,card-width,gateway-views,inspector,mcp-use,profiles-cli,profiles-gateway}.test.ts',
  'test/journeys/gateway/{approved-call,callers,conformance,definitions,git-reads,host,import,known-servers,left-out,lenient,listing,names,output,playground,profile-command,rating,rationale,reserved-names,robust}.test.ts',
  'test/journeys/gateway/{server-requests,similar,starting,terminal,tool-rules,unavailable,unset}.test.ts',
  'test/journeys/login/{browser,login,processes}.test.ts',
  'test/journeys/operation/{bad-start,command-ends,container,container-build,idle-modules,shutdown}.test.ts',
  'test/journeys/operators/{activity,admin-approvals,admin-downloads,admin-gateway,admin-pages,admin-pictures,admin-two-servers}.test.ts',
  'test/journeys/operators/{grants,grants-page,insight-pages,login-page,operators,operators-oidc,webhooks}.test.ts',
  'test/journeys/package/{documentation-site,from-tarball,guide-{mounting,scaling,testing},mcpb}.test.ts',
  'test/journeys/playground/{agency-desk,desks,development-host,first-steps,gallery,gallery-command,mail-campaign}.test.ts',
  'test/journeys/playground/{playground-away,programs,signing,third-party-desk}.test.ts',
  'test/journeys/rail/{bundle-languages,crash-told,one-form,parallel,sleep}.test.ts',
  'test/journeys/store/{lost-entries,postgres-commits,postgres-loss}.test.ts',
]

/**
 * In full runs only. They ask a reference implementation (shells, Git, databases, decoders of pictures) about thousands of inputs,
 * kill processes, or hold servers up and wait for them. What they found stands as examples in the tests beside them.
 */
export const slowUnitTests = [
  'test/server/cli/young-generation.test.ts',
  'test/server/demo/agency/mailbox.test.ts',
  'test/server/compose/gateway/unavailable-servers.test.ts',
  'test/server/eval/evaluate.test.ts',
  'test/server/gateway/contract/{argument-check,contracts,said-of-tools,sent-once}.test.ts',
  'test/server/gateway/profiles/{before,hostile,known-errors,recorded,repository,rows,unknown-properties}.test.ts',
  'test/server/gateway/programs/{git-holes,git-look,git-reads,git-settings,shell-oracles,sql-oracles}.test.ts',
  'test/server/gateway/upstream/{remote,upstream,upstream-instructions}.test.ts',
  'test/server/http/auth/session.test.ts',
  'test/server/http/operators/approval-events.test.ts',
  'test/server/operations/{notify/{tampered,watch-floods},telemetry/traces}.test.ts',
  'test/server/rail/bundles/bundle-interleavings.test.ts',
  'test/server/sandbox/{fair-queue,hostile,waiting-worker}.test.ts',
  'test/server/store/{clocks-for-days,failures,one-file,postgres,power-cut/postgres,sent-ahead,standby}.test.ts',
  'test/server/toolsets/{pictures/pictures,files/{web,contents/s3,links/download}}.test.ts',
  'test/server/toolsets/mail/{campaigns/{at-once,killed,sending},bounces/mailbox,outbox/outbox,quota,transports/*}.test.ts',
  'test/server/tools/schemas/{as-ajv,strays-as-zod}.test.ts',
  'test/server/toolsets/sandbox/sandbox-tools.test.ts',
]

/** They load modules anew, or put others in their place, which only Vite's own loader can. */
export const reloadingTests = [
  'test/server/gateway/contract/parsers-on-first-call.test.ts',
  'test/server/gateway/rating/without-parsers.test.ts',
]

/** They draw with Preact, without a browser. */
export const pageTests = ['test/ui/**/*.test.tsx', 'test/ui/bridge.test.ts']

/**
 * They explore to the end, start processes or servers, wait for something, or go through all profiles: three quarters of what
 * the unit tests cost. What is left for `npm run check` is the rail, policy, cards, rating and store.
 */
export const notWhileWorking = [
  'test/server/rail/interleavings.test.ts',
  'test/server/testing/{approvals,client}.test.ts',
  'test/server/policy/secrets/secrets.test.ts',
  'test/server/demo/orders/words.test.ts',
  'test/server/tools/schemas/{as-ajv,choices,strays-as-zod}.test.ts',
  'test/server/cli/{commands,eval,young-generation}.test.ts',
  'test/server/eval/{evaluate,wordings}.test.ts',
  'test/server/compose/{docs,gateway/unavailable-servers}.test.ts',
  'test/server/config/named-settings.test.ts',
  'test/server/gateway/hosts/{command-words,import-hosts,write-back}.test.ts',
  'test/server/gateway/contract/{argument-check,contracts,explained-errors,said-of-tools,sent-once,upstream-cards}.test.ts',
  'test/server/gateway/profiles/{before,by-argument,hostile,known-errors,profile-schema,recorded,repository,rows,shipped,skeleton,unknown-properties,words}.test.ts',
  'test/server/gateway/programs/{git-*,shell-oracles,sql,sql-oracles}.test.ts',
  'test/server/gateway/passthrough/resources-and-prompts.test.ts',
  'test/server/gateway/upstream/{definition-size,login-use,remote,suspicion,upstream,upstream-instructions,why-not}.test.ts',
  'test/server/http/auth/{accounts,https,jwt,limits,oidc,serving,session,tokens}.test.ts',
  'test/server/http/{http,activity/secrets}.test.ts',
  'test/server/http/operators/{approvals,approval-events,rest}.test.ts',
  'test/server/operations/{insights/api,notify/{tampered,watch-floods},telemetry/traces}.test.ts',
  'test/server/operators/{approvals/{deciding,people},grants/{api,calls,loss,operators,store}}.test.ts',
  'test/server/store/{clocks-for-days,failures,isolation,life,one-file,postgres,power-cut/{postgres,sqlite},processes,sent-ahead,standby}.test.ts',
  'test/server/store/activity/{anchors,chain,lost-entries,search,sums}.test.ts',
  'test/server/demo/{agency/{mailbox,start-over},orders/{basis,failures,previews,start}}.test.ts',
  'test/server/sandbox/{fair-queue,hostile,javascript,packages,python-channel,sandbox,snapshot,waiting-worker,wasm/random-modules}.test.ts',
  'test/server/toolsets/{cheatsheets,pictures/pictures,files/{web,contents/*,links/{download,on-record}}}.test.ts',
  // With a mail server, or a process that is killed.
  'test/server/toolsets/mail/{around,quota,bounces/mailbox,campaigns/*,drafts/*,outbox/*,send-external/send,templates/template,transports/*}.test.ts',
  'test/server/toolsets/sandbox/{imports,sandbox-tools}.test.ts',
  'test/types/contract.test.ts',
  'test/ui/{hostile,admin/events}.test.{ts,tsx}',
]
