// Written by scripts/vendor-formats.mjs from the rules of gitleaks (https://github.com/gitleaks/gitleaks, MIT), b58d3f102cf3.

/**
 * Formats of tokens beyond those of vendor-tokens.ts, by rule. `{x40}` are 40 characters of the set x, `{w20-}` are
 * 20 or more of the set w, which vendor-tokens.ts lists.
 */
export const VENDOR_FORMATS: readonly (readonly [rule: string, format: string])[] = [
  ['1password-service-account-token', String.raw`ops_eyJ{b250-}={0,3}`],
  [
    'authress-service-client-access-key',
    String.raw`(sc|ext|scauth|authress)_{m5-30}\.{m4-6}\.(acc)[_-][a-zA-Z0-9-]{10,32}\.[a-zA-Z0-9+/_=-]{30,120}`,
  ],
  ['aws-amazon-bedrock-api-key-long-lived', String.raw`ABSK{b109-269}={0,2}`],
  ['clojars-api-token', String.raw`CLOJARS_{m60}`],
  ['databricks-api-token', String.raw`dapi{x32}(-{d1})?`],
  ['digitalocean-refresh-token', String.raw`dor_v1_{X64}`],
  ['dynatrace-api-token', String.raw`dt0c01\.{m24}\.{m64}`],
  ['flutterwave-public-key', String.raw`FLWPUBK_TEST-[a-hA-H0-9]{32}-X`],
  ['flyio-access-token', String.raw`fo1_{w43}|fm1[ar]_{b100-}={0,3}|fm2_{b100-}={0,3}`],
  ['gitlab-session-cookie', String.raw`_gitlab_session={l32}`],
  ['grafana-api-key', String.raw`eyJrIjoi{m70-400}={0,3}`],
  ['grafana-cloud-api-token', String.raw`glc_{b32-400}={0,3}`],
  ['openai-api-key', String.raw`sk-(proj|svcacct|admin)-({w74}|{w58})T3BlbkFJ({w74}|{w58})|sk-{m20}T3BlbkFJ{m20}`],
  ['postman-api-token', String.raw`PMAK-{X24}-{X34}`],
  ['sendgrid-api-token', String.raw`SG\.[a-zA-Z0-9=_\.-]{66}`],
  ['sendinblue-api-token', String.raw`xkeysib-{X64}-{m16}`],
  ['slack-app-token', String.raw`xapp-{d1}-{u8-}-{d8-}-{m8-}`],
  ['slack-bot-token', String.raw`xoxb-{d10-13}-{d10-13}[a-zA-Z0-9-]*`],
  ['slack-config-access-token', String.raw`xoxe.xox[bp]-{d1}-{u163-166}`],
  ['slack-legacy-token', String.raw`xox[os]-{d8-}-{d8-}-{d8-}-{X8-}`],
  ['slack-legacy-workspace-token', String.raw`xox[ar]-({d1}-)?{m8-48}`],
  ['slack-user-token', String.raw`xox[pe](-{d10-13}){3}-[a-zA-Z0-9-]{28,34}`],
  ['sourcegraph-access-token', String.raw`sgp_({X16}|local)_{X40}|sgp_{X40}`],
  ['square-access-token', String.raw`(EAAA|sq0atp-){w22-60}`],
  ['twilio-api-key', String.raw`SK{X32}`],
]

/** Vendors whose name names their keys: `adafruit = …`. */
export const VENDOR_NAMES =
  'adafruit adobe airtable algolia alibaba artifactory asana atatt3 atlassian beamer bintray bitbucket bittrex cloudflare coapikey codecov cohere coinbase confluence confluent contentful datadog droneci dropbox etsy fastly finicity finnhub flickr freshbooks gitter heroku hubspot intercom jfrog jira kucoin launchdarkly mailchimp mailgun mapbox mattermost messagebird netlify newrelic newyorktimes nytimes okta plaid privateai rapidapi sendbird sentry snyk sonar squarespace sumo telegr xray yandex zendesk'
