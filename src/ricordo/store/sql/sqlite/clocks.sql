-- clocks.server_now: the time on the machine of the database, to the second
SELECT CAST(strftime('%s', 'now') || '000000' AS INTEGER);
