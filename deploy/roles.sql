-- The roles of the hub and of workers, with the passwords from deploy/.env. PostgreSQL executes this once, for an empty volume;
-- "fermata ledger roles --apply" then gives them their rights.
\getenv hub HUB_PASSWORD
\getenv worker WORKER_PASSWORD
create role fermata_hub login password :'hub';
create role fermata_worker login password :'worker';
