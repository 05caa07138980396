export * from '@planspan/sdk'
