// Names of properties, as agents write them, against the shipped tables: what is real is silent, what is invented is asked about.
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { shippedProperties } from '../../../../server/compose/profiles/profiles.ts'
import { readPropertyTable } from '../../../../server/gateway/profiles/property-table.ts'

const root = new URL('../../../../', import.meta.url).pathname

type Names = Readonly<Record<string, Readonly<Record<string, string>>>>

/** Taken from the providers' own examples and from programs that use them, and from answers of accounts; not from our tables. */
const real: Names = {
  hubspot: {
    contacts:
      'email firstname lastname phone mobilephone company jobtitle website city state zip country lifecyclestage hs_lead_status hubspot_owner_id createdate lastmodifieddate hs_object_id hs_analytics_source hs_email_optout hs_persona num_associated_deals hs_lifecyclestage_lead_date notes_last_contacted',
    companies:
      'name domain description industry numberofemployees annualrevenue city country type lifecyclestage hs_lead_status hubspot_owner_id phone',
    '0-3':
      'dealname amount dealstage closedate pipeline dealtype description hs_priority hs_is_closed_won hs_forecast_amount closed_lost_reason hs_v2_date_entered_closedwon hubspot_team_id',
    ticket: 'subject content hs_pipeline hs_pipeline_stage hs_ticket_priority hs_ticket_category hubspot_owner_id',
    tasks: 'hs_timestamp hs_task_subject hs_task_body hs_task_status hs_task_priority hs_task_type',
    calls: 'hs_call_title hs_call_body hs_call_duration hs_call_direction hs_call_disposition',
  },
  salesforce: {
    Account: 'Name Type Industry BillingCity BillingCountry Phone Website ParentId OwnerId Rating AccountNumber SLA__c',
    Contact: 'FirstName LastName Email AccountId Title MailingCity HasOptedOutOfEmail LeadSource',
    Lead: 'LastName Company Status Email IsConverted',
    Opportunity: 'Name StageName CloseDate Amount Probability AccountId ForecastCategoryName',
  },
}

/** What a model writes that remembers something like it: another API's spelling, a label, a singular, a slip. */
const invented: Names = {
  hubspot: {
    contacts:
      'hs_lead_statsu first_name last_name firstName lastName full_name email_address mobile_phone job_title title company_name owner owner_id hs_owner_id hubspot_owner lifecycle_stage lifecyclestage_id lead_status leadstatus hs_status created_at createddate updated_at last_modified_date website_url postal_code zipcode street linkedin linkedin_profile is_customer email_optout birthday source lead_source',
    companies:
      'company_name companyname company_domain website_domain employees employee_count number_of_employees num_employees annual_revenue revenue company_type parent_company',
    '0-3':
      'deal_name name deal_stage stage stage_id close_date closeddate deal_amount value deal_value currency currency_code deal_owner pipeline_id deal_type probability is_won hs_is_won lost_reason',
    ticket: 'ticket_name title description status priority stage category ticket_priority hs_priority pipeline owner',
    tasks: 'subject task_subject body due_date hs_due_date hs_task_due_date status',
  },
  salesforce: {
    Account: 'AccountName Account_Name City Country Owner_Id Employees',
    Contact: 'EmailAddress Mobile JobTitle Account',
    Opportunity: 'Stage OpportunityName Close_Date Value Accountid_ Won',
  },
}

const unknownOf = async (names: Names) => {
  const each = Object.entries(names).flatMap(([sheet, objects]) =>
    Object.entries(objects).flatMap(([object, list]) => list.split(' ').map((name) => ({ sheet, object, name }))),
  )
  const tables = new Map(
    await Promise.all(Object.keys(names).map(async (sheet) => [sheet, await shippedProperties(sheet)] as const)),
  )
  const unknown = each.filter(({ sheet, object, name }) => {
    const found = tables.get(sheet)?.object(object)
    if (found === undefined) throw new Error(`${sheet} has no ${object}.`)
    return !found.has(name)
  })
  return { all: each.length, unknown: unknown.map(({ sheet, object, name }) => `${sheet} ${object}.${name}`) }
}

test('every one of a hundred real names is silent, and at least 95 of a hundred invented ones are asked about', async () => {
  const known = await unknownOf(real)
  const wrong = await unknownOf(invented)
  console.info(
    `Real names asked about: ${known.unknown.length} of ${known.all}. Invented names asked about: ${wrong.unknown.length} of ${wrong.all}. ` +
      `Precision ${(wrong.unknown.length / (wrong.unknown.length + known.unknown.length)).toFixed(3)}.`,
  )
  expect([known.all, wrong.all]).toEqual([100, 100])
  expect(known.unknown).toEqual([])
  expect(wrong.unknown.length).toBeGreaterThanOrEqual(95)
})

test.each(globSync('cheatsheets/*.fields.yaml', { cwd: root }).map((file) => [basename(file, '.fields.yaml'), file]))(
  'the names of %s can be read, belong to a cheatsheet, and stand there once',
  (name, file) => {
    expect(globSync(`cheatsheets/${name}.md`, { cwd: root })).toHaveLength(1)
    const read = readPropertyTable(readFileSync(`${root}${file}`, 'utf8'), file)
    if (!read.ok) throw new Error(read.failure)
    const twice = [...readFileSync(`${root}${file}`, 'utf8').matchAll(/^ {2}(\w+):$/gm)].flatMap(([, object = '']) => {
      const names = read.value.object(object)?.properties ?? []
      return names.filter((each, at) => names.indexOf(each) !== at).map((each) => `${object}.${each}`)
    })
    expect(twice).toEqual([])
  },
)

test.each([
  ['hubspot', 2],
  ['salesforce', 1],
])('every property in the table of the page of %s is one that its names have', async (name, column) => {
  const table = await shippedProperties(name)
  const rows = readFileSync(`${root}cheatsheets/${name}.md`, 'utf8').split('\n')
  const named = rows.flatMap((row) => {
    const [first = '', ...cells] = row.split('|').slice(1)
    const objects = first.split(',').flatMap((each) => table?.object(each.trim()) ?? [])
    const names = [...(cells[column - 1] ?? '').matchAll(/`([A-Za-z]\w+)`/g)].map(([, each = '']) => each)
    return objects.length === 0 ? [] : names.map((each) => ({ objects, each }))
  })
  expect(named.length).toBeGreaterThan(40)
  expect(named.filter(({ objects, each }) => !objects.some((object) => object.has(each)))).toEqual([])
})

test('an object has its other names, case counts where it counts, and a pattern is no empty name', async () => {
  const hubspot = await shippedProperties('hubspot')
  expect(hubspot?.object('CONTACT')?.name).toBe('contacts')
  expect(hubspot?.object('2-1234')).toBeUndefined()
  expect(hubspot?.object('contacts')?.has('Email')).toBe(false)
  expect(hubspot?.object('deals')?.has('hs_v2_date_entered_')).toBe(false)
  expect((await shippedProperties('salesforce'))?.object('account')?.has('NAME')).toBe(true)
  expect(await shippedProperties('google-ads')).toBeUndefined()
})

test('a table with a mistake says where', () => {
  const read = readPropertyTable('provider: X\nown: Y.\nobjects: { a: { propertys: b } }\n', 'x.fields.yaml')
  expect(read.ok ? '' : read.failure).toMatch(/x\.fields\.yaml:.*propert/s)
})
