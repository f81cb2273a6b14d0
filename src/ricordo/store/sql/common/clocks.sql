-- clocks.ahead: rows that our own clock dated, by table, whose time lies after the one given
SELECT 'signals' AS place, count(*) AS count, max(at) AS latest
  FROM signals WHERE space = :space AND at > :after
UNION ALL
SELECT 'entries', count(*), max(updated_at) FROM entries WHERE space = :space AND updated_at > :after
UNION ALL
SELECT 'schedules', count(*), max(created_at) FROM schedules WHERE space = :space AND created_at > :after
UNION ALL
SELECT 'runs', count(*), max(finished_at) FROM runs WHERE space = :space AND finished_at > :after
UNION ALL
SELECT 'reminders', count(*), max(created_at) FROM reminders WHERE space = :space AND created_at > :after;
